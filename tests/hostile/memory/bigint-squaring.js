// ends: time or memory or error RangeError
// attacks: repeated squaring: the last native multiplications take seconds each
let n = 3n;
for (;;) n *= n;

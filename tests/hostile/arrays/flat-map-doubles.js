// ends: memory or error RangeError
// attacks: flatMap that doubles at each round
// timeout: 5000
let a = [1];
for (;;) a = a.flatMap((x) => [x, x]);

// ends: memory or error RangeError
// attacks: a string that is added to itself without end; cheap for a rope until it is read
let s = "x";
for (;;) s += s;

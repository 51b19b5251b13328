// ends: time or memory or error RangeError
// attacks: reading one character after each `+=` makes a rope flatten each time
let s = "x".repeat(100000);
let sum = 0;
for (let i = 0; ; i++) {
  s += "y";
  sum += s.charCodeAt(i % s.length);
}

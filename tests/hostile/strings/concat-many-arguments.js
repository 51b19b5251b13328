// ends: memory or error RangeError
// attacks: String.prototype.concat with the string itself 1,000 times
let s = "x".repeat(1000);
for (;;) s = s.concat(...new Array(1000).fill(s));

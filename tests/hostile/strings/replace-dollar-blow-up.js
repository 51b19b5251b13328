// ends: memory or error RangeError or time
// attacks: the patterns $` and $' in a replacement copy what is before and after each match
let s = "a".repeat(1000);
for (;;) s = s.replace(/a/g, "$`$'");

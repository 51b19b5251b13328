// ends: memory or error RangeError or time
// attacks: replaceAll of each character by the whole text, again and again
let s = "abc".repeat(100);
for (;;) s = s.replaceAll("a", s);

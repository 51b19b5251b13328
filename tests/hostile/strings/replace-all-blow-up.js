// ends: memory or error RangeError
// attacks: replaceAll of each character by the whole text, again and again
let s = "abc".repeat(100);
for (;;) s = s.replaceAll("a", s);

// ends: memory or error RangeError
// attacks: each unit becomes nine; then each of the nine becomes more
// timeout: 5000
let s = "\u20ac".repeat(100000);
for (;;) s = encodeURIComponent(s);

// ends: memory or error RangeError or time
// attacks: each unit becomes nine, and all results are kept
const s = "\u20ac".repeat(100000);
const kept = [];
for (;;) kept.push(encodeURIComponent(s));

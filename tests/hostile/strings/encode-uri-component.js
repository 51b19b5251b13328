// ends: memory or error RangeError
// attacks: each unit becomes nine, and all results are kept
// timeout: 5000
const s = "\u20ac".repeat(100000);
const kept = [];
for (;;) kept.push(encodeURIComponent(s));

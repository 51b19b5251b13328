// ends: memory or error RangeError
// attacks: the annex-B `escape` makes six units of one
const s = "\u20ac".repeat(100000);
const kept = [];
for (;;) kept.push(escape(s));

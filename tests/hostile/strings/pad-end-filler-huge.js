// ends: memory or error RangeError
// attacks: long fillers, many of them kept
const filler = "ab".repeat(500000);
const kept = [];
for (let i = 0; ; i++) kept.push("x".padEnd(2000000 + i, filler));

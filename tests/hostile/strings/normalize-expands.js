// ends: memory or error RangeError
// attacks: U+FDFA is one unit and becomes 18 under NFKD
const kept = [];
for (;;) kept.push("\uFDFA".repeat(400000).normalize("NFKD"));

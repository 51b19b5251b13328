// ends: memory or error RangeError
// attacks: a small string becomes many: split, kept without end
const text = "abcdefgh".repeat(10000);
const kept = [];
for (;;) kept.push(text.split(""));

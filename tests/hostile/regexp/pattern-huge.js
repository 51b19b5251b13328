// ends: value or memory or error SyntaxError or error RangeError or time
// attacks: a literal pattern of a million characters
// value: true
const text = "ab".repeat(500000);
new RegExp(text).test(text);

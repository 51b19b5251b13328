// ends: value or memory or error SyntaxError or error RangeError or time
// attacks: nested counted repetitions that expand to 1e9 instructions
// value: false
new RegExp("^((a{1000}){1000}){1000}$").test("a".repeat(100));

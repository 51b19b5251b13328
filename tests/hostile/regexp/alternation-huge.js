// ends: value or memory or error SyntaxError or error RangeError or time or recursion
// attacks: 50,000 alternatives, each tried at each position
// timeout: 5000
// value: false
new RegExp(Array.from({ length: 50000 }, (_, i) => "w" + i + "z").join("|")).test("w".repeat(2000));

// ends: value
// attacks: the textbook exponential pattern; linear for a matcher that remembers
// value: false
/^(a+)+$/.test("a".repeat(5000) + "!");

// ends: time
// attacks: the textbook exponential pattern
/^(a+)+$/.test("a".repeat(5000) + "!");

// ends: value
// attacks: both branches match the same letter: 2 ** n ways
// value: false
/^(a|a)*$/.test("a".repeat(5000) + "b");

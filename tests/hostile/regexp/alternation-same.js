// ends: time
// attacks: both branches match the same letter: 2 ** n ways
/^(a|a)*$/.test("a".repeat(5000) + "b");

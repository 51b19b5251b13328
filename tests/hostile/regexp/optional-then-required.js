// ends: time
// attacks: (a?){n}a{n}: 2 ** n for a matcher that backtracks
new RegExp("^" + "a?".repeat(60) + "a".repeat(60) + "$").test("a".repeat(60));

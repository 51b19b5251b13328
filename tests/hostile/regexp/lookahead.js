// ends: time or value
// attacks: an exponential pattern inside a lookahead
// value: false
/^(?=(?:a+)+$)a/.test("a".repeat(2000) + "!");

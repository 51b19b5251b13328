// ends: time or value
// attacks: an exponential pattern inside a lookbehind, matched from right to left
// value: false
/(?<=^(?:a+)+)!$/.test("b" + "a".repeat(2000) + "!");

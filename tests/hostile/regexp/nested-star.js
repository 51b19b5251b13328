// ends: value
// attacks: a star of stars that may match nothing
// value: false
/^(a*)*$/.test("a".repeat(5000) + "b");

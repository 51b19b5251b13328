// ends: time
// attacks: a star of stars that may match nothing
/^(a*)*$/.test("a".repeat(5000) + "b");

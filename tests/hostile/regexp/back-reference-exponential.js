// ends: time
// attacks: a back reference inside a nested repetition: 2 ** n ways
/^(?:(a)|\1a|(a)\2?)+$/.test("a".repeat(2000) + "!");

// ends: time or value
// attacks: a tempered dot in a nested repetition
// value: false
/^(?:(?:(?!end).)+)+stop$/.test("x".repeat(2000));

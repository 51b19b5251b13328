// ends: time or value
// attacks: polynomial of a high degree: ten `.*` in a row
// value: false
/^.*.*.*.*.*.*.*.*.*.*=$/.test("x".repeat(3000));

// ends: value or time
// attacks: case folding beyond ASCII inside an exponential pattern
// value: false
/^(?:ä+|Ä+)+$/iu.test("äÄ".repeat(300) + "!");

// ends: time
// attacks: the exponential pattern with both flags u and i, which take other paths of a matcher
/^(?:[a-z]+)+$/iu.test("Ab".repeat(2000) + "!");

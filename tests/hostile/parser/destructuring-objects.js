// ends: recursion
// attacks: {a:{a:{a:… as an assignment's target, which is first parsed as a literal
eval("({a:".repeat(1) + "{a:".repeat(30000) + "b" + "}".repeat(30000) + "} = {})");

// ends: recursion
// attacks: 50,000 nested object literals
eval("(" + "{a:".repeat(50000) + "1" + "}".repeat(50000) + ")");

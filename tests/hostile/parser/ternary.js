// ends: recursion
// attacks: a?b:a?b:… nests on the right
eval("0?1:".repeat(100000) + "2");

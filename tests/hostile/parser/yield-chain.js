// ends: recursion
// attacks: yield yield yield … inside a generator
eval("(function*(){" + "yield ".repeat(50000) + "1})");

// ends: recursion or time
// attacks: (a=(a=(… is an arrow's head or an expression: a parser that tries both doubles at each level
eval("(a=".repeat(300) + "1" + ")=>a".repeat(300));
"parsed";

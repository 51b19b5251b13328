// ends: recursion
// attacks: unary operators that are words
eval("typeof void ".repeat(50000) + "1");

// ends: recursion
// attacks: a pattern in a pattern in a pattern
eval("let " + "[".repeat(30000) + "a" + "]".repeat(30000) + "=[]");

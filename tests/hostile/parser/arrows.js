// ends: recursion
// attacks: a=>a=>a=>… 50,000 times
eval("a=>".repeat(50000) + "1");

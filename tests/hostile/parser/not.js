// ends: recursion
// attacks: 200,000 times `!`
eval("!".repeat(200000) + "1");

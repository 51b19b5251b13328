// ends: value or recursion
// attacks: 100,000 expressions joined by commas; a left-deep tree
// value: 1
eval("0,".repeat(100000) + "1");

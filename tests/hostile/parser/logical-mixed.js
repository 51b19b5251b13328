// ends: value or recursion
// attacks: a long chain of && and || with a jump for each
// value: 1
eval("1&&0||".repeat(40000) + "1");

// ends: recursion
// attacks: a=a=a=… is right-associative as well
var a;
eval("a=".repeat(100000) + "1");

// ends: value or recursion
// attacks: a.a.a.… 100,000 long, a left-deep tree that is flat for the parser and not for the compiler
// value: true
var a = {};
a.a = a;
eval("a" + ".a".repeat(100000)) === a;

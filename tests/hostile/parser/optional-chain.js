// ends: value or recursion
// attacks: a?.a?.a… 50,000 links that all leave by the same door
// value: true
var a = {};
a.a = a;
eval("a" + "?.a".repeat(50000)) === a;

// ends: value or recursion
// attacks: f()()()… 100,000 calls, one on the result of the other
// value: true
var f = () => f;
eval("f" + "()".repeat(100000)) === f;

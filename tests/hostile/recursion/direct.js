// ends: recursion
// attacks: a function that calls itself, the deepest a program can go in script frames alone
function f() { return f(); }
f();

// ends: recursion
// attacks: the call is in the initialiser of a parameter, before the body has begun
function f(a = f()) { return a; }
f();

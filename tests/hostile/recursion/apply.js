// ends: recursion
// attacks: Function.prototype.apply between each two levels: native and script frames in turn
function f() { return f.apply(this, arguments); }
f(1, 2);

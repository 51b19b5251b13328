// ends: recursion
// attacks: Reflect.construct between each two levels
function F() { return Reflect.construct(F, []); }
new F();

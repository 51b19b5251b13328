// ends: recursion
// attacks: a getter that reads itself: each level passes through native property access
const o = { get a() { return this.a; } };
o.a;

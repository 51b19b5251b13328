// ends: recursion
// attacks: a setter that assigns to itself
const o = { set a(value) { this.a = value + 1; } };
o.a = 0;

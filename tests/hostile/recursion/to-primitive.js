// ends: recursion
// attacks: Symbol.toPrimitive that compares the object with itself
const o = { [Symbol.toPrimitive]() { return this < 1 ? 1 : 0; } };
+o;

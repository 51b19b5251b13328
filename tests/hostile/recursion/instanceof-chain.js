// ends: recursion
// attacks: Symbol.hasInstance that asks instanceof again
const T = { [Symbol.hasInstance](v) { return v instanceof T; } };
1 instanceof T;

// ends: recursion or value
// attacks: valueOf that does arithmetic with the object itself
const o = { valueOf() { return this + 1; } };
o * 2;

// ends: recursion
// attacks: a function made from text at each level
globalThis.make = () => new Function("return make()")();
make();

// ends: recursion
// attacks: a reviver that parses
const f = () => JSON.parse("[1]", f);
f();

// ends: recursion or time or memory
// attacks: flat(Infinity) of an array that contains itself
const a = [];
a.push(a, a);
a.flat(Infinity);

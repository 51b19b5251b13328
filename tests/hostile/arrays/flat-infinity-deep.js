// ends: recursion or value
// attacks: flat(Infinity) of an array nested 100,000 deep, which recurs natively
// value: 1
let a = [1];
for (let i = 0; i < 100000; i++) a = [a];
a.flat(Infinity).length;

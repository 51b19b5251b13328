// ends: recursion or value
// attacks: Array.prototype.join of an array nested 100,000 deep, all native
// value: 1
let a = ["x"];
for (let i = 0; i < 100000; i++) a = [a];
String(a).length;

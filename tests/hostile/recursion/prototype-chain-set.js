// ends: recursion or value
// attacks: an assignment looks for a setter along 50,000 prototypes
// value: 1
let o = {};
for (let i = 0; i < 50000; i++) o = Object.create(o);
o.a = 1;
o.a;

// ends: recursion or value
// attacks: a missing name is looked up along 50,000 prototypes, in native code
// value: "undefined"
let o = {};
for (let i = 0; i < 50000; i++) o = Object.create(o);
typeof o.missing;

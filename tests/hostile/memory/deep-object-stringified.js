// ends: recursion
// attacks: JSON.stringify of an object nested 100,000 deep
let o = {};
for (let i = 0; i < 100000; i++) o = { o };
JSON.stringify(o);

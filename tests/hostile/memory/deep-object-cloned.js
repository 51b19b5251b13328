// ends: value or recursion
// attacks: structuredClone of an object nested 100,000 deep
// value: true
let o = {};
for (let i = 0; i < 100000; i++) o = { o };
structuredClone(o) !== o;

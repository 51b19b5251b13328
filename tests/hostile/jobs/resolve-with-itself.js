// ends: error TypeError
// attacks: a promise resolved with itself, the shortest of all cycles
let settle;
const p = new Promise((resolve) => { settle = resolve; });
settle(p);
p;

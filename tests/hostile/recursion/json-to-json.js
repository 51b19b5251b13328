// ends: recursion
// attacks: toJSON that stringifies itself
const o = { toJSON() { return JSON.stringify(this); } };
JSON.stringify(o);

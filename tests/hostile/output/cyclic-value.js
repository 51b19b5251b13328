// ends: value
// attacks: a value that contains itself
const o = { name: "cycle" };
o.self = o;
o.list = [o, [o]];
o;

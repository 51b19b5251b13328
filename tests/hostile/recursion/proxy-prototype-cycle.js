// ends: recursion
// attacks: a prototype cycle, which only a proxy can make: a missing name is looked up for ever
const o = {};
Object.setPrototypeOf(o, new Proxy(o, {}));
o.missing;

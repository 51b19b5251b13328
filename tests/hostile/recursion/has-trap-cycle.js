// ends: recursion
// attacks: `in` over a prototype cycle through a proxy
const o = {};
Object.setPrototypeOf(o, new Proxy(o, {}));
"missing" in o;

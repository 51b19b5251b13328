// ends: recursion or value
// attacks: a chain of 50,000 proxies without traps: one read goes down the chain in native code
// value: 1
let p = { x: 1 };
for (let i = 0; i < 50000; i++) p = new Proxy(p, {});
p.x;

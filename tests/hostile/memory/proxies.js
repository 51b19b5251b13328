// ends: memory
// attacks: proxies of proxies, kept as one chain
let p = {};
for (;;) p = new Proxy(p, {});

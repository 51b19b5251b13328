// ends: memory
// attacks: proxies of proxies, kept as one chain
// timeout: 10000
let p = {};
for (;;) p = new Proxy(p, {});

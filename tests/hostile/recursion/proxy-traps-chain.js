// ends: recursion
// attacks: 20,000 proxies with traps that ask the next one by Reflect: script and native in turn
let p = { x: 1 };
for (let i = 0; i < 20000; i++) {
  p = new Proxy(p, { get: (target, key) => Reflect.get(target, key) });
}
p.x;

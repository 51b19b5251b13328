// ends: memory or time
// attacks: objects with keys in ever new orders: a shape each, in trees that something else keeps
// timeout: 10000
const kept = [];
for (let i = 0; ; i++) {
  const o = {};
  o["a" + i] = 1;
  o["b" + i] = 2;
  o["c" + i] = 3;
  kept.push(o);
}

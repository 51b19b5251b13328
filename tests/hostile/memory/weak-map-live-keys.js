// ends: memory
// attacks: a WeakMap whose keys are all alive, and whose values point to the next key
const weak = new WeakMap();
const keys = [];
for (;;) {
  const key = {};
  weak.set(key, { previous: keys.at(-1), data: [1, 2, 3] });
  keys.push(key);
}

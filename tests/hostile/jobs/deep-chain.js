// ends: value or recursion
// attacks: a chain of 10,000 async functions, each waiting for the next: resolved from inside out
// value: 10000
let chain = Promise.resolve(0);
for (let i = 0; i < 10000; i++) {
  const before = chain;
  chain = (async () => (await before) + 1)();
}
chain;

// ends: time
// attacks: break calls the iterator's `return`, which loops
const one = {
  [Symbol.iterator]() { return this; },
  next: () => ({ value: 1, done: false }),
  return() { for (;;); },
};
for (const x of one) break;

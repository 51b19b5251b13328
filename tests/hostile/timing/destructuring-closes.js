// ends: time
// attacks: destructuring closes the iterator that it did not use up
const [first] = {
  [Symbol.iterator]() { return this; },
  next: () => ({ value: 1, done: false }),
  return() { for (;;); },
};

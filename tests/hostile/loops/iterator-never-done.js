// ends: time
// attacks: for-of over a hand-written iterator whose `done` is never true
const endless = {
  [Symbol.iterator]() { return this; },
  next() { return { value: 1, done: false }; },
};
let count = 0;
for (const one of endless) count += one;

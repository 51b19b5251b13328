// ends: time
// attacks: leaving for-await calls `return`, whose promise is made after an endless loop
const ticks = {
  [Symbol.asyncIterator]() { return this; },
  next: async () => ({ value: 1, done: false }),
  return: async () => { for (;;); },
};
(async () => {
  for await (const tick of ticks) break;
})();

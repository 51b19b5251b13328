// ends: time
// attacks: for-await over a synchronous generator that never ends
function* ones() { for (;;) yield 1; }
(async () => {
  let sum = 0;
  for await (const one of ones()) sum += one;
})();

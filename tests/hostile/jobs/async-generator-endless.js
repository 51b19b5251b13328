// ends: time
// attacks: for-await over an async generator that never ends
async function* ticks() { for (let n = 0; ; n++) yield n; }
(async () => {
  let sum = 0;
  for await (const n of ticks()) sum += n;
})();

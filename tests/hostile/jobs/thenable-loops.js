// ends: time
// attacks: await calls a `then` that does not come back
const slow = { then() { for (;;); } };
(async () => { await slow; })();

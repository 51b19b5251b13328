// ends: memory or time
// attacks: requests piled up on an async generator that waits for ever
// timeout: 10000
async function* stuck() { await new Promise(() => {}); }
const g = stuck();
for (;;) g.next();

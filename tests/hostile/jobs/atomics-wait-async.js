// ends: error Error
// attacks: Atomics.waitAsync gives a promise that only another thread would settle
const cells = new Int32Array(new SharedArrayBuffer(8));
const waiting = Atomics.waitAsync(cells, 0, 0);
await waiting.value;

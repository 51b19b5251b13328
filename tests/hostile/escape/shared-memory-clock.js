// ends: value
// attacks: a counter in shared memory is a precise clock, if anything else could run beside it
// value: ["undefined",0]
const cells = new Int32Array(new SharedArrayBuffer(8));
[typeof Worker, Atomics.load(cells, 0)];

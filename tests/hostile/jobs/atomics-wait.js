// ends: error TypeError or error ReferenceError
// attacks: Atomics.wait would put the whole sandbox to sleep
Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0);

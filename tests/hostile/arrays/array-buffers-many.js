// ends: memory or error RangeError or time
// attacks: buffers of a megabyte each, all kept
const kept = [];
for (;;) kept.push(new Uint8Array(1 << 20).fill(1));

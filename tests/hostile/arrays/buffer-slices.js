// ends: memory or error RangeError
// attacks: slice copies: a list of copies of one buffer
const buffer = new ArrayBuffer(4 << 20);
const kept = [];
for (;;) kept.push(buffer.slice(0));

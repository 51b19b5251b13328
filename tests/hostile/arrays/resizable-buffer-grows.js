// ends: memory or error RangeError or time
// attacks: resizable buffers that begin small, so that only growing tells
const kept = [];
for (;;) {
  const buffer = new ArrayBuffer(8, { maxByteLength: 1 << 23 });
  buffer.resize(1 << 23);
  new Uint8Array(buffer).fill(1);
  kept.push(buffer);
}

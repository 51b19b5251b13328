// ends: time or memory
// attacks: buffers of a megabyte each, none kept: garbage outside of the engine's own heap
let sum = 0;
for (;;) sum += new Uint8Array(1 << 20).length;

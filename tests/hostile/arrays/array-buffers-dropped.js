// ends: time
// attacks: buffers of a megabyte each, none kept: garbage that the collector's own count does not see
let sum = 0;
for (;;) sum += new Uint8Array(1 << 20).length;

// ends: memory or time or error RangeError
// attacks: BigInts of a megabyte each, kept
// timeout: 5000
const kept = [];
for (let i = 0n; ; i++) kept.push((1n << 8000000n) + i);

// ends: time or value or error RangeError
// attacks: a division of ten million bits by five million bits
// value: true
((1n << 10000000n) - 1n) / ((1n << 5000000n) - 3n) > 0n;

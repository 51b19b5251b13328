// ends: memory or time or error RangeError
// attacks: one operator that makes a number of 12 GB
2n ** 100000000000n;

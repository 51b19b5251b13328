// ends: time or value or memory or error RangeError
// attacks: a power that fits the heap (12 MB) and takes one long native multiplication after another
// value: true
7n ** 35000000n > 1n;

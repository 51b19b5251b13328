// ends: memory or error RangeError
// attacks: a shift by 2 ** 40 bits
1n << (1n << 40n);

// ends: output or time or error RangeError
// attacks: a BigInt of ten million bits as the last value: to print it is quadratic
2n ** 10000000n;

// ends: time or value or error RangeError
// attacks: base 10 of a number of ten million bits, quadratic in native code
// value: 3010300
(2n ** 10000000n).toString().length;

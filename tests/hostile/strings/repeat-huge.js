// ends: error RangeError
// attacks: one string of a terabyte
"x".repeat(2 ** 40);

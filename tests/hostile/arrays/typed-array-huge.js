// ends: error RangeError
// attacks: two billion doubles: 16 GB in one allocation
new Float64Array(2 ** 31 - 1);

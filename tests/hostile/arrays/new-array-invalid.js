// ends: error RangeError
// attacks: a length of 2 ** 32, one more than there is
new Array(2 ** 32);

// ends: time or error TypeError or error RangeError
// attacks: splice moves 2 ** 53 - 3 elements down by one
Array.prototype.splice.call({ length: 2 ** 53 - 1 }, 0, 1);

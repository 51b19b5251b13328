// ends: time or memory or error RangeError
// attacks: Array.from with a length of 2 ** 53 - 1
Array.from({ length: 2 ** 53 - 1 });

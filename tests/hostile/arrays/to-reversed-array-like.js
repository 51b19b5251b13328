// ends: error RangeError
// attacks: toReversed must refuse a length beyond 2 ** 32 - 1 before it begins
Array.prototype.toReversed.call({ length: 2 ** 53 - 1 });

// ends: time or value
// attacks: lastIndexOf from 2 ** 53 - 1 down
// value: -1
Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1);

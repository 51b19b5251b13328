// ends: time or memory or error RangeError
// attacks: spread of four billion holes
const a = [];
a.length = 2 ** 32 - 1;
const b = [...a];

// ends: error RangeError or recursion or memory or time
// attacks: four million arguments in one call
// timeout: 5000
const a = new Array(4000000).fill(1);
Math.max(...a, ...a);

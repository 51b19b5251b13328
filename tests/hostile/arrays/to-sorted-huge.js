// ends: time or memory or error RangeError
// attacks: toSorted fills holes with undefined: four billion of them
const a = [];
a.length = 2 ** 32 - 1;
a.toSorted();

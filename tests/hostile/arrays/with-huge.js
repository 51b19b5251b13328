// ends: time or memory or error RangeError
// attacks: `with` copies four billion holes to change one
const a = [];
a.length = 2 ** 32 - 1;
a.with(0, 1);

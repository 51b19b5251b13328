// ends: time or value or memory
// attacks: sort of a sparse array asks for each of four billion indices
// value: 4294967295
const a = [3];
a[2 ** 32 - 2] = 2;
a.sort().length;

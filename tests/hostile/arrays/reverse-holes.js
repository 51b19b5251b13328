// ends: time or value
// attacks: reverse of a sparse array with one element at each end
// value: 4294967295
const a = [1];
a[2 ** 32 - 2] = 2;
a.reverse().length;

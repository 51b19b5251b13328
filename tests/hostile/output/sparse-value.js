// ends: value or output
// attacks: a sparse array as the last value: its JSON form would be ten gigabytes of null
const a = [1];
a[2 ** 32 - 2] = 2;
a;

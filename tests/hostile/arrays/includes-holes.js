// ends: time or value
// attacks: includes sees holes as undefined, so it must look at each, natively
// value: false
const a = [];
a.length = 2 ** 32 - 1;
a.includes(1);

// ends: memory or time or error RangeError
// attacks: 40 small arrays, each twice in the next: 2 ** 40 elements when flat
// timeout: 5000
let a = [0];
for (let i = 0; i < 40; i++) a = [a, a];
a.flat(Infinity);

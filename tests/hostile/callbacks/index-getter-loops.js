// ends: time
// attacks: a getter at an array's index, read by indexOf in native code
const a = [1, 2, 3];
Object.defineProperty(a, 1, { get() { for (;;); } });
a.indexOf(4);

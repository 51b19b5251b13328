// ends: time
// attacks: the WeakMap constructor over an endless iterator of one and the same key
const key = {};
new WeakMap((function* () { for (;;) yield [key, 1]; })());

// ends: value or error TypeError
// attacks: a frozen global object, and frozen prototypes
// value: 4
for (const it of [Object.prototype, Array.prototype, Function.prototype, Promise.prototype]) Object.freeze(it);
Object.freeze(globalThis);
2 + 2;

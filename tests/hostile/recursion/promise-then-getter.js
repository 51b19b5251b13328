// ends: recursion or value
// attacks: resolving a promise reads `then`, whose getter resolves the next promise; what goes wrong
// in there is the promise's to swallow
const o = { get then() { new Promise((resolve) => resolve(o)); return undefined; } };
new Promise((resolve) => resolve(o));
0;

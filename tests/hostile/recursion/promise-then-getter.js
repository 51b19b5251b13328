// ends: recursion
// attacks: resolving a promise reads `then`, whose getter resolves the next promise
const o = { get then() { return Promise.resolve(1) && new Promise((r) => r(o)); } };
new Promise((resolve) => resolve(o));

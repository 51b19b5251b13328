// ends: value
// attacks: async functions must not need the global Promise
// value: 3
globalThis.Promise = undefined;
(async () => 1 + await 2)();

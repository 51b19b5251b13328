// ends: value
// attacks: a `console` that cannot be put back, in case the runner needs it
// value: "mine"
Object.defineProperty(globalThis, "console", { value: "mine", writable: false, configurable: false });
console;

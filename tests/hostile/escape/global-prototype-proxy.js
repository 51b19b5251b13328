// ends: value or error TypeError
// attacks: a proxy above the global object sees each name that is looked up in vain
// value: "number"
Object.setPrototypeOf(globalThis, new Proxy({}, {
  has: (_, key) => typeof key === "string",
  get: (_, key) => typeof key === "string" ? 1 : undefined,
}));
typeof nothingOfThisName;

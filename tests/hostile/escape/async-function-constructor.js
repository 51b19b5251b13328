// ends: value
// attacks: the constructor of async functions, which lists of forbidden names forget
// value: "undefined"
Object.getPrototypeOf(async () => {}).constructor("return typeof process")();

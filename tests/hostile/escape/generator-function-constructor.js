// ends: value
// attacks: the constructor of generator functions
// value: "undefined"
Object.getPrototypeOf(function* () {}).constructor("yield typeof require")().next().value;

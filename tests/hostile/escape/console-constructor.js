// ends: value
// attacks: the constructor of a function that the host made could belong to another, richer realm
// value: [true,true]
[
  console.log.constructor("return this")() === globalThis,
  Object.getPrototypeOf(console.log) === Function.prototype,
];

// ends: recursion
// attacks: spreading an object whose iterator spreads the object
const o = { *[Symbol.iterator]() { yield* [...this]; } };
[...o];

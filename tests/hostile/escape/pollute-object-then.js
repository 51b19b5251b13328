// ends: value
// attacks: with `then` on Object.prototype each object is a thenable for whoever resolves with one
// value: {"a":1}
Object.prototype.then = function () { for (;;); };
console.log({ b: 2 });
({ a: 1 });

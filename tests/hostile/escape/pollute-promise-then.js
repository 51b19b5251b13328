// ends: value
// attacks: a runner that waits for the last promise by calling its `then`
// value: 5
Promise.prototype.then = Promise.prototype.finally = () => { for (;;); };
Promise.resolve(5);

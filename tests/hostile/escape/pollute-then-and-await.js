// ends: value
// attacks: the same under a top-level await, where a wrapper of the runner's would resolve with objects
// value: 3
const two = await Promise.resolve(2);
Object.defineProperty(Object.prototype, "then", { get() { throw new Error("host code ran me"); }, configurable: true });
two + 1;

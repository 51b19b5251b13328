// ends: value
// attacks: Symbol.toStringTag as a getter that loops, asked for by inspectors
// value: {"a":1}
Object.defineProperty(Object.prototype, Symbol.toStringTag, { get() { for (;;); }, configurable: true });
console.log({}, [1], () => 1);
({ a: 1 });

// ends: value
// attacks: a proxy whose traps would loop, printed and as a value
const trap = () => { for (;;); };
const p = new Proxy({}, { get: trap, ownKeys: trap, getPrototypeOf: trap, has: trap, getOwnPropertyDescriptor: trap });
console.log(p);
p;

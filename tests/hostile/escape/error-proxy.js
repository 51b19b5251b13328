// ends: error Uncaught
// attacks: a proxy of an error is thrown, and each trap would loop
const trap = () => { for (;;); };
throw new Proxy(new Error("m"), {
  get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap, getOwnPropertyDescriptor: trap,
});

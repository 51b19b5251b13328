// ends: time or memory
// attacks: Array.prototype.fill on an object of length 2 ** 53 - 1 whose set does nothing
Array.prototype.fill.call(new Proxy({ length: 2 ** 53 - 1 }, { set: () => true }), 0);

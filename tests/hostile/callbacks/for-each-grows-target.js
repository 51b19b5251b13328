// ends: time
// attacks: forEach over an array-like that claims 2 ** 53 - 1 elements, all of them there
let calls = 0;
const huge = new Proxy({ length: 2 ** 53 - 1 }, { has: () => true });
Array.prototype.forEach.call(huge, () => { calls++; });

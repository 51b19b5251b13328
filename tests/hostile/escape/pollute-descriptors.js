// ends: value
// attacks: `get` and `set` on Object.prototype spoil each property descriptor, the runner's as well
// value: {"caught":"TypeError"}
Object.prototype.get = Object.prototype.set = () => 1;
let caught;
try { Object.defineProperty({}, "a", { value: 1 }); } catch (error) { caught = error.name; }
console.log({ a: 1 });
({ caught });

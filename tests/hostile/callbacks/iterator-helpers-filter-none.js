// ends: time
// attacks: Iterator.prototype.filter looks for a first element that never comes, in one native call
function* ones() { for (;;) yield 1; }
ones().filter((x) => x === 2).next();

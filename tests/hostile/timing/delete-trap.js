// ends: time
// attacks: a deleteProperty trap, reached by length = 0 on an array-like and by splice
const p = new Proxy([1, 2, 3], { deleteProperty() { for (;;); } });
Array.prototype.splice.call(p, 0, 1);

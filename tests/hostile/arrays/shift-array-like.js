// ends: time
// attacks: shift of an object that claims 2 ** 53 - 1 elements
Array.prototype.shift.call({ length: 2 ** 53 - 1 });

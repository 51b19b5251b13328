// ends: time
// attacks: the `length` of an array-like
Array.prototype.join.call({ get length() { for (;;); } });

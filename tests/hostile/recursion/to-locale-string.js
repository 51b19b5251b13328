// ends: recursion or error RangeError
// attacks: Array.prototype.toLocaleString calls the elements', which call the array's
const a = [{ toLocaleString: () => a.concat([]).toLocaleString() }];
a.toLocaleString();

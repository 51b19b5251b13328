// ends: error RangeError
// attacks: a read past the end of a view
new DataView(new ArrayBuffer(8)).getFloat64(2 ** 53 - 1);

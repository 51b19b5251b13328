// ends: error RangeError
// attacks: a buffer of eight petabytes
new ArrayBuffer(2 ** 53 - 1);

// ends: time
// attacks: copyWithin over 2 ** 52 elements that are not there
Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 0, 2 ** 52);

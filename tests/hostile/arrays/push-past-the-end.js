// ends: error TypeError
// attacks: push on an array-like whose length is already 2 ** 53 - 1
Array.prototype.push.call({ length: 2 ** 53 - 1 }, 1);

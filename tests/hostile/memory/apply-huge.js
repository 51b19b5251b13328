// ends: error RangeError or recursion or memory
// attacks: apply with an array-like that claims 2 ** 31 arguments
(function () { return arguments.length; }).apply(null, { length: 2 ** 31 });

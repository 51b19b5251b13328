// ends: error RangeError or recursion or memory
// attacks: apply with ten million arguments
String.fromCharCode.apply(null, new Uint16Array(10000000)).length;

// ends: memory or time or error RangeError
// attacks: fill of four billion elements in one native call
new Array(4e9).fill(0);

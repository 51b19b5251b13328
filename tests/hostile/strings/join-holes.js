// ends: memory or time or error RangeError
// attacks: join of four billion holes: the result is all commas
const a = [];
a.length = 2 ** 32 - 1;
a.join();

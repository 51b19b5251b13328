// ends: time
// attacks: spread of an iterator whose `next` loops
[...{ [Symbol.iterator]: () => ({ next() { for (;;); } }) }];

// ends: memory or time
// attacks: spread of an endless iterator: each `next` is short, the array is not
// timeout: 3000
[...{ [Symbol.iterator]: () => ({ next: () => ({ value: 0, done: false }) }) }];

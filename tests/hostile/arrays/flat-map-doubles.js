// ends: memory or error RangeError or time
// attacks: flatMap that makes a thousand of one at each round
// timeout: 5000
let a = [1];
for (;;) a = a.flatMap((x) => new Array(1000).fill(x));

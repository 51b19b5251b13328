// ends: time or memory or error RangeError
// attacks: a factorial without end: each product is a little longer than the last
let product = 1n;
for (let i = 1n; ; i++) product *= i;

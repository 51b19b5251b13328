// ends: time
// attacks: a counter that is never advanced
let sum = 0;
for (let i = 0; i < 10;) sum += i;

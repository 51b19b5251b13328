// ends: time
// attacks: arrays of 100,000 numbers, dropped at each round: garbage in big pieces
let sum = 0;
for (;;) sum += new Array(100000).fill(1).length;

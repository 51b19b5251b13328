// ends: output
// attacks: 60 arrays, each twice in the next: small in memory, 2 ** 60 elements when written
let d = 1;
for (let i = 0; i < 60; i++) d = [d, d];
d;

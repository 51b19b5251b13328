// ends: time
// attacks: a program that first works in bursts below any slice, and never stops
// timeout: 3000
let rounds = 0;
const burst = () => { for (let i = 0; i < 1000; i++) rounds++; };
for (;;) [1, 2, 3].forEach(burst);

// ends: output
// attacks: 1,000 keys of 1,000 letters each
const o = {};
for (let i = 0; i < 1000; i++) o["k".repeat(1000) + i] = i;
o;

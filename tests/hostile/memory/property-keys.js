// ends: memory
// attacks: one object with a new key at each round
const o = {};
for (let i = 0; ; i++) o["key" + i] = i;

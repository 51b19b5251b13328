// ends: memory
// attacks: a Map with a new key at each round; its table doubles in one allocation
const map = new Map();
for (let i = 0; ; i++) map.set(i, i);

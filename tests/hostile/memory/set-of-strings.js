// ends: memory
// attacks: a Set of different strings
// timeout: 10000
const set = new Set();
for (let i = 0; ; i++) set.add("member number " + i);

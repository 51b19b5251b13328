// ends: memory or time
// attacks: a Set of different strings
const set = new Set();
for (let i = 0; ; i++) set.add("member number " + i);

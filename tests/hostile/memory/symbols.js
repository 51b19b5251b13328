// ends: memory or time
// attacks: symbols with descriptions, as keys of one object
const o = {};
for (let i = 0; ; i++) o[Symbol("s" + i)] = i;

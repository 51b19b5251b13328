// ends: value
// attacks: a Map of 50,000 entries with long keys: only the first hundred are shown
// value: "printed"
const map = new Map();
for (let i = 0; i < 50000; i++) map.set("key " + i, i);
console.log(map);
"printed";

// ends: time
// attacks: five nested for-in loops over 300 keys each: finite on paper, 2e12 rounds in truth
const keys = {};
for (let i = 0; i < 300; i++) keys["k" + i] = i;
let rounds = 0;
for (const a in keys) for (const b in keys) for (const c in keys)
  for (const d in keys) for (const e in keys) rounds++;

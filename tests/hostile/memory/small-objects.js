// ends: memory
// attacks: small objects, all reachable from one array
const kept = [];
for (let i = 0; ; i++) kept.push({ id: i, next: null });

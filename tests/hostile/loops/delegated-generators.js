// ends: time
// attacks: each step of the endless sequence passes through 50 levels of yield*
function* base() { for (let n = 0; ; n++) yield n; }
function* through(inner) { yield* inner; }
let sequence = base();
for (let i = 0; i < 50; i++) sequence = through(sequence);
let last;
for (const n of sequence) last = n;

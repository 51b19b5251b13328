// ends: memory or time
// attacks: errors, each with a stack of a hundred frames, kept
// timeout: 3000
const kept = [];
function down(n) { return n === 0 ? kept.push(new Error("kept")) : down(n - 1); }
for (;;) down(100);

// ends: memory
// attacks: promises that never settle, kept
const kept = [];
for (;;) kept.push(new Promise(() => {}));

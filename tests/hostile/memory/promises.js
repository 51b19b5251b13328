// ends: memory
// attacks: promises that never settle, kept
// timeout: 10000
const kept = [];
for (;;) kept.push(new Promise(() => {}));

// ends: memory or time
// attacks: promises that never settle, kept
const kept = [];
for (;;) kept.push(new Promise(() => {}));

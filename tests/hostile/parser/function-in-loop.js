// ends: memory or time
// attacks: 20 KB of source compiled at each round, all functions kept
// timeout: 10000
const body = "x = x + 1;".repeat(2000);
const kept = [];
for (;;) kept.push(new Function("x", body));

// ends: memory or time
// attacks: built-in objects with native parts: Date, Map, Set, in one array
const kept = [];
for (;;) kept.push(new Date(), new Map([[1, 2]]), new Set([1]));

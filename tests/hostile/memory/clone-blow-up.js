// ends: memory or time or error RangeError
// attacks: structuredClone of what doubles at each round
let a = ["x".repeat(100)];
for (;;) a = [structuredClone(a), structuredClone(a), ...new Array(1000).fill(0)];

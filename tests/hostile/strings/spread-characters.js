// ends: memory or error RangeError
// attacks: spread of a string of eight million characters into an array
const all = [..."\u{1F600}".repeat(4000000)];
all.push(...all);
for (;;) all.push(...all.slice(0, 10000));

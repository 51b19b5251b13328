// ends: time
// attacks: comparing two long strings that differ at their end, without end
const a = "x".repeat(100000) + "a";
const b = "x".repeat(100000) + "b";
let order = 0;
for (;;) order += a.localeCompare(b);

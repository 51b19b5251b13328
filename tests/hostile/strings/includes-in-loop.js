// ends: time
// attacks: native searches of four megabytes each, one per round of a cheap loop
const text = "ab".repeat(2000000);
let found = 0;
for (;;) if (text.includes("abb")) found++;

// ends: time
// attacks: dates parsed from long texts that are none
const text = "2024-01-01T00:00:00." + "0".repeat(1000000);
let sum = 0;
for (;;) sum += Number.isNaN(Date.parse(text)) ? 1 : 0;

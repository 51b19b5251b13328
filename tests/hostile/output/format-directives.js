// ends: output
// attacks: %s filled with the same long string a thousand times
const long = "y".repeat(1000);
console.log("%s ".repeat(1000), ...new Array(1000).fill(long));

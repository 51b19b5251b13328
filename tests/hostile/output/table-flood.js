// ends: output or time
// attacks: console.table of 2,000 rows and 50 columns
// timeout: 5000
const row = Object.fromEntries(Array.from({ length: 50 }, (_, i) => ["column" + i, i]));
console.table(new Array(2000).fill(row));

// Parsing the formats people write, and arithmetic on months
const inputs = [
  '2024-03-07', '2024-03-07T14:30:00Z', '2024-03-07T14:30:00+02:00', '2024-03-07T14:30:00.250Z', '2024-03',
  'March 7, 2024', 'Mar 7, 2024 14:30', '7 March 2024', '03/07/2024', '2024/03/07',
  'Thu, 07 Mar 2024 10:00:00 GMT', 'Thu Mar 07 2024', '2024-13-45', 'not a date',
];

for (const text of inputs) {
  const d = new Date(text);
  const shown = Number.isNaN(d.getTime()) ? 'Invalid Date' : d.toISOString();
  console.log(`${text.padEnd(30)} ${shown}`);
}

const addMonths = (date, n) => {
  const d = new Date(date);
  const day = d.getUTCDate();
  d.setUTCDate(1);
  d.setUTCMonth(d.getUTCMonth() + n);
  const last = new Date(Date.UTC(d.getUTCFullYear(), d.getUTCMonth() + 1, 0)).getUTCDate();
  d.setUTCDate(Math.min(day, last));
  return d;
};

console.log('Naive month overflow:', new Date(2024, 0, 31 + 31).toISOString().slice(0, 10));
for (const n of [1, 2, 13, -2]) {
  console.log(`31 January 2024 ${n > 0 ? '+' : '-'} ${Math.abs(n)} months = ${addMonths('2024-01-31', n).toISOString().slice(0, 10)}`);
}

const d = new Date(2024, 1, 29, 23, 59, 59, 999);
console.log(d.getFullYear(), d.getMonth() + 1, d.getDate(), d.getDay(), d.getHours(), d.getMinutes());
d.setFullYear(2025);
console.log('29 February moved to 2025:', d.toISOString());
console.log(String(new Date(0)));
console.log(new Date(NaN).getTime(), `${new Date('x')}`);
console.log(JSON.stringify({ at: new Date(1700000000000) }));
console.log('Sorted:', ['2024-05-01', '2023-12-25', '2024-01-10'].map(s => new Date(s)).sort((a, b) => a - b).map(x => x.toISOString().slice(5, 10)));
try {
  new Date('nonsense').toISOString();
} catch (e) {
  console.log(e instanceof RangeError, e.name);
}
Date.UTC(2024, 1, 29);

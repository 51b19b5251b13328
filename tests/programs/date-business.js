// Business days between two dates, skipping weekends and holidays
const holidays = new Set(['2024-01-01', '2024-01-15', '2024-02-19', '2024-05-27', '2024-07-04']);
const iso = d => d.toISOString().split('T')[0];
const isBusinessDay = d => ![0, 6].includes(d.getUTCDay()) && !holidays.has(iso(d));

function businessDays(start, end) {
  let count = 0;
  for (let d = new Date(start); d <= new Date(end); d.setUTCDate(d.getUTCDate() + 1)) {
    if (isBusinessDay(d)) count++;
  }
  return count;
}

function addBusinessDays(start, n) {
  const d = new Date(start);
  while (n > 0) {
    d.setUTCDate(d.getUTCDate() + 1);
    if (isBusinessDay(d)) n--;
  }
  return d;
}

const names = ['January', 'February', 'March', 'April', 'May', 'June'];
let total = 0;
names.forEach((name, m) => {
  const last = new Date(Date.UTC(2024, m + 1, 0));
  const days = businessDays(Date.UTC(2024, m, 1), last);
  total += days;
  console.log(`${name.padEnd(9)} ${String(last.getUTCDate()).padStart(2)} days, ${days} business days`);
});
console.log('First half of 2024:', total);

const due = addBusinessDays('2024-06-28T00:00:00Z', 10);
console.log('Due date:', due.toDateString());
console.log('Formatted:', due.toLocaleDateString('en-US', { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }));

const short = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
console.log('Holidays:', [...holidays].map(h => short.format(new Date(h))).join('; '));

// Nth weekday of a month: US Thanksgiving is the 4th Thursday of November
function nthWeekday(year, month, weekday, n) {
  const first = new Date(Date.UTC(year, month, 1)).getUTCDay();
  return new Date(Date.UTC(year, month, 1 + ((7 + weekday - first) % 7) + (n - 1) * 7));
}
[2023, 2024, 2025].forEach(y => console.log(`Thanksgiving ${y}: ${iso(nthWeekday(y, 10, 4, 4))}`));

// Fridays the 13th
const fridays = [];
for (let m = 0; m < 24; m++) {
  const d = new Date(Date.UTC(2023, m, 13));
  if (d.getUTCDay() === 5) fridays.push(iso(d));
}
fridays

// A month calendar and a table of sunrise-like minutes as clock times
const monthAndYear = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

function calendar(year, month) {
  const first = new Date(Date.UTC(year, month - 1, 1));
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const title = monthAndYear.format(first);
  const lines = [title.padStart(Math.floor((20 + title.length) / 2)), 'Mo Tu We Th Fr Sa Su'];
  const offset = (first.getUTCDay() + 6) % 7;
  const cells = [...Array(offset).fill('  '), ...Array.from({ length: days }, (_, i) => String(i + 1).padStart(2))];
  while (cells.length) lines.push(cells.splice(0, 7).join(' '));
  return lines.join('\n');
}

console.log(calendar(2024, 2));
console.log();
console.log(calendar(2023, 10));

const minutesToClock = m => {
  const t = new Date(Date.UTC(2000, 0, 1, 0, m));
  return t.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
};
console.log([0, 59, 60, 719, 720, 1439].map(minutesToClock).join(' | '));

function duration(ms) {
  const units = [['d', 86_400_000], ['h', 3_600_000], ['m', 60_000], ['s', 1000]];
  const parts = [];
  for (const [name, size] of units) {
    const n = Math.floor(ms / size);
    if (n) parts.push(`${n}${name}`);
    ms %= size;
  }
  return parts.join(' ') || '0s';
}
const start = new Date('2024-02-28T22:15:30Z');
const end = new Date('2024-03-01T01:02:03Z');
console.log(`${duration(end - start)} from ${start.toLocaleString('en-GB', { timeZone: 'UTC' })} to ${end.toLocaleString('en-GB', { timeZone: 'UTC' })}`);
console.log(duration(999), duration(3_600_000), duration(90_061_000));

const weekdays = {};
for (let y = 2000; y < 2400; y++) {
  const name = new Date(Date.UTC(y, 0, 1)).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' });
  weekdays[name] = (weekdays[name] ?? 0) + 1;
}
weekdays

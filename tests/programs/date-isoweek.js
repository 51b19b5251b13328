// ISO weeks, day of the year, quarters and Easter
function isoWeek(date) {
  const d = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()));
  const day = d.getUTCDay() || 7;
  d.setUTCDate(d.getUTCDate() + 4 - day);
  const yearStart = new Date(Date.UTC(d.getUTCFullYear(), 0, 1));
  const week = Math.ceil(((d - yearStart) / 86400000 + 1) / 7);
  return `${d.getUTCFullYear()}-W${String(week).padStart(2, '0')}-${day}`;
}

const dayOfYear = d => (Date.UTC(d.getUTCFullYear(), d.getUTCMonth(), d.getUTCDate()) - Date.UTC(d.getUTCFullYear(), 0, 0)) / 864e5;
const quarter = d => Math.floor(d.getUTCMonth() / 3) + 1;

for (const s of ['2020-12-31', '2021-01-03', '2021-01-04', '2024-02-29', '2024-12-30', '2026-01-01']) {
  const d = new Date(s);
  console.log(`${s}  ${isoWeek(d)}  day ${String(dayOfYear(d)).padStart(3)}  Q${quarter(d)}  ${d.toUTCString()}`);
}

// Anonymous Gregorian algorithm
function easter(year) {
  const a = year % 19, b = Math.floor(year / 100), c = year % 100;
  const d = b >> 2, e = b % 4, f = Math.floor((b + 8) / 25);
  const g = Math.floor((b - f + 1) / 3);
  const h = (19 * a + b - d - g + 15) % 30;
  const i = c >> 2, k = c % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const month = Math.floor((h + l - 7 * m + 114) / 31);
  const day = ((h + l - 7 * m + 114) % 31) + 1;
  return new Date(Date.UTC(year, month - 1, day));
}

for (let y = 2022; y <= 2027; y++) {
  const e = easter(y);
  const pentecost = new Date(e.getTime() + 49 * 864e5);
  const long = { day: 'numeric', month: 'long' };
  console.log(`${y}: Easter ${e.toLocaleDateString('en-GB', long)}, Whit Sunday ${pentecost.toLocaleDateString('en-GB', long)}`);
}
const longYears = Array.from({ length: 20 }, (_, i) => 2015 + i).filter(y => isoWeek(new Date(Date.UTC(y, 11, 28))).includes('W53'));
({ easter2024: easter(2024), longYears });

// Ages and differences between calendar dates
const today = new Date(2024, 5, 15); // 15 June 2024

function age(birth, on = today) {
  let years = on.getFullYear() - birth.getFullYear();
  const before = on.getMonth() < birth.getMonth() ||
    (on.getMonth() === birth.getMonth() && on.getDate() < birth.getDate());
  if (before) years--;
  return years;
}

const people = [
  ['Ada', '1990-12-10'], ['Grace', '1985-06-15'], ['Alan', '1972-06-16'], ['Leap', '2000-02-29'],
];
for (const [name, iso] of people) {
  const [y, m, d] = iso.split('-').map(Number);
  console.log(`${name.padEnd(6)} born ${iso}: ${age(new Date(y, m - 1, d))} years old`);
}

const DAY = 24 * 60 * 60 * 1000;
const daysBetween = (a, b) => Math.round((Date.parse(b) - Date.parse(a)) / DAY);
console.log('Days in 2023:', daysBetween('2023-01-01', '2024-01-01'));
console.log('Days in 2024:', daysBetween('2024-01-01', '2025-01-01'));
console.log('Moon landing to 2024-06-15:', daysBetween('1969-07-20', '2024-06-15').toLocaleString(), 'days');

function difference(from, to) {
  let years = to.getUTCFullYear() - from.getUTCFullYear();
  let months = to.getUTCMonth() - from.getUTCMonth();
  let days = to.getUTCDate() - from.getUTCDate();
  if (days < 0) {
    months--;
    days += new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth(), 0)).getUTCDate();
  }
  if (months < 0) { years--; months += 12; }
  return { years, months, days };
}
console.log(difference(new Date('2019-11-28'), new Date('2024-03-05')));

const isLeap = y => (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0;
console.log('Leap years:', [1900, 2000, 2023, 2024, 2100].filter(isLeap));
const nextBirthday = (() => {
  const d = new Date(Date.UTC(2024, 11, 10));
  return { date: d.toISOString().slice(0, 10), weekday: d.toLocaleDateString('en-US', { weekday: 'long' }), inDays: daysBetween('2024-06-15', '2024-12-10') };
})();
nextBirthday;

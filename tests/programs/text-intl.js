// Lists, plurals, relative times and collation for English readers
const list = new Intl.ListFormat('en', { style: 'long', type: 'conjunction' });
const either = new Intl.ListFormat('en', { type: 'disjunction' });
console.log(list.format(['France']), '|', list.format(['France', 'Spain']), '|', list.format(['France', 'Spain', 'Italy']));
console.log(either.format(['tea', 'coffee', 'milk']));

const plural = new Intl.PluralRules('en-US');
const items = n => `${n.toLocaleString('en-US')} ${plural.select(n) === 'one' ? 'item' : 'items'}`;
console.log([0, 1, 2, 1000, 1.5].map(items).join(', '));

const ordinals = new Intl.PluralRules('en-US', { type: 'ordinal' });
const suffix = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
console.log([1, 2, 3, 4, 11, 12, 13, 21, 22, 103].map(n => `${n}${suffix[ordinals.select(n)]}`).join(' '));

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const numeric = new Intl.RelativeTimeFormat('en');
console.log([-1, 0, 1, 2].map(n => relative.format(n, 'day')).join(', '));
console.log(numeric.format(-1, 'day'), '|', numeric.format(3, 'week'), '|', numeric.format(-2, 'months'), '|', numeric.format(1000, 'year'));

function ago(from, to) {
  const units = [['year', 31_536_000], ['month', 2_592_000], ['week', 604_800], ['day', 86_400], ['hour', 3_600], ['minute', 60], ['second', 1]];
  const seconds = Math.round((from - to) / 1000);
  const [unit, size] = units.find(([, s]) => Math.abs(seconds) >= s) ?? units.at(-1);
  return relative.format(Math.trunc(seconds / size), unit);
}
const now = Date.UTC(2024, 5, 15, 12);
for (const then of ['2024-06-15T11:59:30Z', '2024-06-15T09:00:00Z', '2024-06-14T10:00:00Z', '2024-05-30T12:00:00Z', '2020-01-01T00:00:00Z', '2024-06-15T12:45:00Z']) {
  console.log(then, '->', ago(new Date(then), now));
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
console.log(['v10', 'V2', 'v1', 'Ä3', 'a20'].sort(collator.compare), collator.compare('a', 'Á'));
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
console.log(money.format(-1234.5), money.format(1e9));
console.log(Intl.DateTimeFormat().resolvedOptions().timeZone, new Intl.NumberFormat().resolvedOptions().locale, Intl.NumberFormat.supportedLocalesOf(['en-US', 'de']));
[money.format(0), new Intl.DateTimeFormat('en-US').format(new Date(0))];

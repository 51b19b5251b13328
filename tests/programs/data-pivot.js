// Pivot long data to a wide table, fill gaps, add totals
const rows = `year|country|co2
2019|Germany|657
2019|France|315
2020|Germany|605
2020|France|277
2020|Spain|204
2021|Germany|633
2021|Spain|221
2022|France|298
2022|Germany|624
2022|Spain|231`.split('\n').slice(1).map(line => {
  const [year, country, co2] = line.split('|');
  return { year: +year, country, co2: Number(co2) };
});

const years = [...new Set(rows.map(r => r.year))].sort();
const countries = [...new Set(rows.map(r => r.country))].sort();
const lookup = new Map(rows.map(r => [`${r.country}:${r.year}`, r.co2]));

const wide = countries.map(country => {
  const cells = Object.fromEntries(years.map(y => [y, lookup.get(`${country}:${y}`) ?? null]));
  return { country, ...cells };
});
console.table(wide);
console.table(Object.fromEntries(countries.map(c => [c, { first: rows.find(r => r.country === c).year, n: rows.filter(r => r.country === c).length }])));

console.log(['Country'.padEnd(9), ...years.map(y => String(y).padStart(6)), 'Mean'.padStart(7)].join(''));
for (const { country, ...cells } of wide) {
  const known = Object.values(cells).filter(v => v !== null);
  const mean = known.reduce((a, b) => a + b, 0) / known.length;
  console.log([country.padEnd(9), ...years.map(y => String(cells[y] ?? '–').padStart(6)), mean.toFixed(1).padStart(7)].join(''));
}

// Fill gaps linearly where both neighbours are known
const filled = wide.map(({ country, ...cells }) => {
  const v = years.map(y => cells[y]);
  return [country, v.map((x, i) => x ?? (v[i - 1] != null && v[i + 1] != null ? (v[i - 1] + v[i + 1]) / 2 : null))];
});
console.log(filled);

const long = wide.flatMap(({ country, ...cells }) => Object.entries(cells).filter(([, v]) => v !== null).map(([y, v]) => `${country} ${y} ${v}`));
console.log(long.length === rows.length, long[0]);
const transposed = years.map(y => [y, ...countries.map(c => lookup.get(`${c}:${y}`) ?? 0)]);
transposed;

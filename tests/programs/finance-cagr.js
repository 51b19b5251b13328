// Revenue growth: year over year, CAGR, index, projection
const revenue = new Map([
  [2018, 1.24e9], [2019, 1.37e9], [2020, 1.31e9], [2021, 1.62e9], [2022, 1.88e9], [2023, 2.05e9],
]);
const compact = n => n.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 2 });
const percent = x => x.toLocaleString('en-US', { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });
const signed = x => x.toLocaleString('en-US', { style: 'percent', maximumFractionDigits: 1, signDisplay: 'always' });

let previous;
for (const [year, value] of revenue) {
  const change = previous === undefined ? '   —' : signed(value / previous - 1);
  console.log(`${year}  ${compact(value).padStart(6)}  ${change}`);
  previous = value;
}

const years = [...revenue.keys()];
const [first, last] = [years[0], years[years.length - 1]];
const cagr = (revenue.get(last) / revenue.get(first)) ** (1 / (last - first)) - 1;
console.log(`CAGR ${first}–${last}: ${percent(cagr)}`);

console.log('Index (2018 = 100):', years.map(y => Math.round((revenue.get(y) / revenue.get(first)) * 100)));

for (const y of [2025, 2030]) {
  console.log(`Projection ${y}: $${compact(revenue.get(last) * (1 + cagr) ** (y - last))}`);
}
const needed = Math.ceil(Math.log(5e9 / revenue.get(last)) / Math.log(1 + cagr));
console.log(`Reaches $5 billion in ${last + needed}`);
({ cagr: Math.round(cagr * 10000) / 100, years: last - first });

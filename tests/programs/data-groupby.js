// Sales by region and by quarter
const sales = [
  { region: 'North', quarter: 'Q1', product: 'A', units: 120, price: 9.5 },
  { region: 'South', quarter: 'Q1', product: 'B', units: 80, price: 14 },
  { region: 'North', quarter: 'Q2', product: 'B', units: 95, price: 14 },
  { region: 'East', quarter: 'Q1', product: 'A', units: 60, price: 9.5 },
  { region: 'South', quarter: 'Q2', product: 'A', units: 150, price: 9 },
  { region: 'East', quarter: 'Q2', product: 'C', units: 20, price: 49.9 },
];

const byRegion = Object.groupBy(sales, ({ region }) => region);
for (const [region, rows] of Object.entries(byRegion)) {
  const revenue = rows.reduce((s, r) => s + r.units * r.price, 0);
  console.log(`${region}: ${rows.length} rows, revenue ${revenue.toFixed(2)}`);
}

const bySize = Map.groupBy(sales, s => (s.units >= 100 ? 'large' : 'small'));
console.log('Large orders:', bySize.get('large').map(s => `${s.region}/${s.quarter}`));
console.log('Groups:', [...bySize.keys()], bySize.size);

const totals = sales.reduce((acc, { region, quarter, units, price }) => {
  acc[region] ??= {};
  acc[region][quarter] = (acc[region][quarter] ?? 0) + units * price;
  return acc;
}, {});
console.log(totals);

const parity = Object.groupBy([1, 2, 3, 4, 5], n => (n % 2 ? 'odd' : 'even'));
console.log(parity);
console.log(Object.keys(parity), 'odd' in parity, parity.toString);

const ranked = Object.entries(byRegion)
  .map(([region, rows]) => ({ region, units: rows.reduce((s, r) => s + r.units, 0) }))
  .toSorted((a, b) => b.units - a.units);
console.table(ranked);
const [{ region: winner }] = ranked;
console.log(`Best region: ${winner}`);
Object.groupBy(['apple', 'avocado', 'banana', 'cherry', 'blueberry'], w => w[0]);

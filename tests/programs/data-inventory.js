// Inventory with reorder rules, hoisted functions and a branch as the last expression
const stock = [
  { sku: 'A100', name: 'Bolt', qty: 40, min: 50, cost: 0.12, tags: ['metal', 'small'] },
  { sku: 'B200', name: 'Hinge', qty: 15, min: 10, cost: 1.75, tags: ['metal'] },
  { sku: 'C300', name: 'Shelf', qty: 3, min: 5, cost: 14.2, tags: ['wood', 'large'] },
  { sku: 'D400', name: 'Glue', qty: 0, min: 8, cost: 3.1, tags: [] },
];

const { low = [], fine = [] } = Object.groupBy(stock, isLow);
console.log('Low:', low.map(({ name, qty, min }) => `${name} (${qty}/${min})`).join(', '));
console.log('Fine:', fine.map(s => s.name));

const order = low.map(s => ({ sku: s.sku, units: packs(s.min * 2 - s.qty) }));
console.log(order);
const price = order.reduce((sum, { sku, units }) => sum + units * bySku(sku).cost, 0);
console.log(`Order value: ${price.toLocaleString('en-GB', { style: 'currency', currency: 'GBP' })}`);

const tags = stock.flatMap(s => s.tags.map(t => [t, s.name]));
const index = tags.reduce((acc, [t, name]) => ({ ...acc, [t]: [...(acc[t] ?? []), name] }), {});
console.log(index);

label: for (const s of stock) {
  for (const t of s.tags) {
    if (t === 'large') { console.warn('Large item:', s.name); break label; }
    if (t === 'small') continue label;
  }
}

const audit = stock.map(({ tags: [first = 'untagged', ...rest], ...item }, i) => `${i}:${item.sku}:${first}:${rest.length}`);
console.log(audit.join(' '));
var total = 0;
for (var i in stock) total += stock[i].qty;
do { total -= 10; } while (total > 20);
switch (Math.sign(total - 15)) {
  case 1: console.log('above', total, i); break;
  case 0: console.log('equal', total);
  default: console.log('fell through', total);
}

if (low.length > fine.length) {
  `reorder ${low.length} of ${stock.length}`;
} else {
  'nothing to do';
}

function isLow(item) { return item.qty < item.min ? 'low' : 'fine'; }
function packs(n, size = 12) { return Math.ceil(n / size) * size; }
function bySku(sku) { return stock.find(s => s.sku === sku); }

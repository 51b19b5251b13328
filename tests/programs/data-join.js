// Inner, left and anti joins of two arrays
const customers = [
  { id: 1, name: 'Acme', country: 'US' },
  { id: 2, name: 'Globex', country: 'DE' },
  { id: 3, name: 'Initech', country: 'US' },
  { id: 4, name: 'Umbrella', country: 'JP' },
];
const orders = [
  { order: 'A-1', customerId: 2, total: 250 },
  { order: 'A-2', customerId: 1, total: 99.9 },
  { order: 'A-3', customerId: 2, total: 40.1 },
  { order: 'A-4', customerId: 9, total: 10 },
];

const index = new Map(customers.map(c => [c.id, c]));

const inner = orders
  .filter(o => index.has(o.customerId))
  .map(({ customerId, ...rest }) => ({ ...rest, customer: index.get(customerId).name }));
console.log('Inner join:', inner);

const left = customers.map(c => {
  const own = orders.filter(o => o.customerId === c.id);
  return { name: c.name, orders: own.length, total: own.reduce((s, o) => s + o.total, 0), last: own.at(-1)?.order };
});
console.log('Left join:', left);

const orphans = orders.filter(({ customerId }) => !index.has(customerId));
const silent = customers.filter(c => !orders.some(o => o.customerId === c.id)).map(c => c.name);
console.log('Orders without a customer:', orphans.map(o => o.order).join());
console.log('Customers without orders:', silent);

const countries = [...new Set(customers.map(c => c.country))].sort();
const matrix = Object.fromEntries(countries.map(cc => [cc, left.filter(l => customers.find(c => c.name === l.name).country === cc).reduce((s, l) => s + l.total, 0)]));
console.log('By country:', matrix);

const a = ['x', 'y', 'z'], b = [10, 20, 30];
const zip = (p, q) => p.map((v, i) => [v, q[i]]);
const merged = Object.assign({}, ...zip(a, b).map(([k, v]) => ({ [k]: v })));
const { x, ...others } = merged;
console.log(x, others, { ...merged, y: 0 });
left;

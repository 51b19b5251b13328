// NPV, IRR by bisection, payback period and profitability index
const projects = [
  { name: 'Solar roof', flows: [-18000, 2600, 2600, 2600, 2600, 2600, 2600, 2600, 2600, 2600, 2600] },
  { name: 'Heat pump', flows: [-12000, 1500, 1800, 2100, 2400, 2700, 3000, 3300] },
  { name: 'Insulation', flows: [-5000, 900, 900, 900, 900, 900, 900, 900, 900] },
];

const npv = (rate, flows) => flows.reduce((sum, cf, t) => sum + cf / (1 + rate) ** t, 0);

function irr(flows) {
  let lo = -0.9, hi = 1;
  if (npv(lo, flows) * npv(hi, flows) > 0) throw new RangeError('no sign change');
  while (hi - lo > 1e-10) {
    const mid = (lo + hi) / 2;
    if (npv(mid, flows) > 0) lo = mid;
    else hi = mid;
  }
  return (lo + hi) / 2;
}

function payback(flows) {
  let sum = 0;
  for (const [year, cf] of flows.entries()) {
    if (sum + cf >= 0) return year - 1 + -sum / cf;
    sum += cf;
  }
  return Infinity;
}

const discount = 0.06;
const table = projects.map(({ name, flows }) => ({
  name,
  npv: npv(discount, flows).toLocaleString('en-US', { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 }),
  irr: irr(flows).toLocaleString('en-US', { style: 'percent', minimumFractionDigits: 2 }),
  payback: `${payback(flows).toFixed(1)} years`,
  index: (1 + npv(discount, flows) / -flows[0]).toFixed(3),
}));
console.table(table);
console.table(table, ['name', 'irr']);

const best = projects.reduce((a, b) => (npv(discount, a.flows) > npv(discount, b.flows) ? a : b));
console.log(`Highest NPV at ${discount * 100}%: ${best.name}`);
try {
  irr([100, 200]);
} catch (e) {
  console.warn(`${e.name}: ${e.message}`);
}
payback([-100, 10, 10]);

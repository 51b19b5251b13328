// Portfolio: value, allocation, returns, volatility, Sharpe ratio, drawdown
const holdings = [
  { symbol: 'VTI', shares: 40, cost: 185.5, price: 242.18 },
  { symbol: 'VXUS', shares: 75, cost: 58.2, price: 57.94 },
  { symbol: 'BND', shares: 60, cost: 81.1, price: 72.65 },
  { symbol: 'GLD', shares: 12, cost: 168, price: 215.3 },
];
const money = (v, currency = 'USD') => v.toLocaleString('en-US', { style: 'currency', currency });

const total = holdings.reduce((s, h) => s + h.shares * h.price, 0);
const enriched = holdings
  .map(h => ({ ...h, value: h.shares * h.price, gain: h.shares * (h.price - h.cost) }))
  .sort((a, b) => b.value - a.value);

console.group('Portfolio');
for (const { symbol, value, gain } of enriched) {
  console.log(`${symbol.padEnd(5)}${money(value).padStart(11)}${((value / total) * 100).toFixed(1).padStart(7)}%  ${gain < 0 ? '▼' : '▲'} ${money(gain)}`);
}
console.log(`Total ${money(total)} = ${money(total * 0.92, 'EUR')} = ${money(total * 149.5, 'JPY')} = ${money(total * 0.79, 'GBP')}`);
console.groupEnd();

const monthly = [0.021, -0.013, 0.034, 0.008, -0.042, 0.027, 0.015, -0.006, 0.031, 0.012, -0.018, 0.024];
const mean = monthly.reduce((a, b) => a + b) / monthly.length;
const sd = Math.sqrt(monthly.reduce((s, r) => s + (r - mean) ** 2, 0) / (monthly.length - 1));
const annual = monthly.reduce((p, r) => p * (1 + r), 1) - 1;
const sharpe = ((mean - 0.04 / 12) / sd) * Math.sqrt(12);

let peak = 1, level = 1, drawdown = 0;
for (const r of monthly) {
  level *= 1 + r;
  peak = Math.max(peak, level);
  drawdown = Math.min(drawdown, level / peak - 1);
}
console.group('Performance');
console.log(`Year: ${(annual * 100).toFixed(2)}%`);
console.log(`Volatility: ${(sd * Math.sqrt(12) * 100).toFixed(2)}%`);
console.group('Risk');
console.log(`Sharpe ${sharpe.toFixed(2)}\nMax drawdown ${(drawdown * 100).toFixed(2)}%`);
console.warn('Past performance says little\nabout the future');
console.groupEnd();
console.groupEnd();
enriched.map(h => h.symbol);

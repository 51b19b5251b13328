// Exponential growth: fit log(y), then doubling time
const cases = new Map([
  [0, 25], [1, 33], [2, 47], [3, 64], [4, 91], [5, 121], [6, 175], [7, 238],
]);

const days = [...cases.keys()];
const logs = [...cases.values()].map(Math.log);
const n = days.length;

const sum = a => a.reduce((x, y) => x + y, 0);
const slope =
  (n * sum(days.map((d, i) => d * logs[i])) - sum(days) * sum(logs)) /
  (n * sum(days.map(d => d * d)) - sum(days) ** 2);
const intercept = (sum(logs) - slope * sum(days)) / n;

const growth = Math.exp(slope) - 1;
const doubling = Math.LN2 / slope;

console.log(`N(t) = ${Math.exp(intercept).toFixed(2)} * e^(${slope.toFixed(4)} t)`);
console.log(`Daily growth: ${(growth * 100).toFixed(1)}%`);
console.log(`Doubling time: ${doubling.toFixed(2)} days`);

cases.forEach((observed, day) => {
  const expected = Math.exp(intercept + slope * day);
  const error = ((observed - expected) / expected) * 100;
  const sign = error >= 0 ? '+' : '';
  console.log(`day ${day}: ${observed.toString().padStart(3)} vs ${expected.toFixed(1).padStart(5)} (${sign}${error.toFixed(1)}%)`);
});

const when = target => (Math.log(target) - intercept) / slope;
console.log('1,000 cases on day', when(1000).toFixed(1));
console.log('1,000,000 cases on day', Math.ceil(when(1e6)));

// Chi-square test of independence and of goodness of fit
const observed = [
  [90, 60, 104, 95],
  [30, 50, 51, 20],
  [30, 40, 45, 35],
];
const rowTotals = observed.map(r => r.reduce((a, b) => a + b));
const colTotals = observed[0].map((_, j) => observed.reduce((s, r) => s + r[j], 0));
const total = rowTotals.reduce((a, b) => a + b);

let chi2 = 0;
const expected = observed.map((row, i) => row.map((o, j) => {
  const e = (rowTotals[i] * colTotals[j]) / total;
  chi2 += (o - e) ** 2 / e;
  return Math.round(e * 100) / 100;
}));
const df = (observed.length - 1) * (observed[0].length - 1);

// Regularised lower incomplete gamma function by its series
function gammaP(a, x) {
  let term = 1 / a, sum = term;
  for (let k = 1; k < 500 && Math.abs(term) > 1e-15 * sum; k++) {
    term *= x / (a + k);
    sum += term;
  }
  return sum * Math.exp(-x + a * Math.log(x) - logGamma(a));
}
function logGamma(z) {
  const g = [76.18009172947146, -86.50532032941677, 24.01409824083091,
    -1.231739572450155, 0.1208650973866179e-2, -0.5395239384953e-5];
  const t = z + 5.5;
  let s = 1.000000000190015;
  g.forEach((c, i) => { s += c / (z + i + 1); });
  return (z + 0.5) * Math.log(t) - t + Math.log(2.5066282746310005 * s / z);
}
const pValue = (stat, k) => 1 - gammaP(k / 2, stat / 2);

console.log('Totals:', { rows: rowTotals, columns: colTotals, total });
console.log('Expected counts:', expected);
console.log(`χ² = ${chi2.toFixed(4)}, df = ${df}, p = ${pValue(chi2, df).toExponential(2)}`);
if (pValue(chi2, df) < 0.05) console.log('Reject independence at the 5% level');

const die = [22, 17, 20, 26, 22, 13];
const stat = die.reduce((s, o) => s + (o - 20) ** 2 / 20, 0);
console.log(`Fair die? χ² = ${stat.toFixed(2)}, p = ${pValue(stat, 5).toFixed(4)}`);

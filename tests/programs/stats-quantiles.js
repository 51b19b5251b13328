// Quantiles, IQR and outliers by three common conventions
const values = [7, 15, 36, 39, 40, 41, 42, 43, 47, 49, 102];

function quantileLinear(arr, q) {
  const s = arr.toSorted((a, b) => a - b);
  const pos = (s.length - 1) * q;
  const lo = Math.floor(pos);
  const hi = Math.ceil(pos);
  return s[lo] + (s[hi] - s[lo]) * (pos - lo);
}

function quantileNearestRank(arr, q) {
  const s = arr.toSorted((a, b) => a - b);
  return s[Math.max(0, Math.ceil(q * s.length) - 1)];
}

// Hazen: (i - 0.5) / n
function quantileHazen(arr, q) {
  const s = arr.toSorted((a, b) => a - b);
  const h = Math.min(Math.max(q * s.length + 0.5, 1), s.length);
  const k = Math.floor(h);
  const upper = s[Math.min(k, s.length - 1)];
  return s[k - 1] + (h - k) * (upper - s[k - 1]);
}

console.log('Quantiles by method');
for (const q of [0.05, 0.25, 0.5, 0.75, 0.9]) {
  const row = [quantileLinear, quantileNearestRank, quantileHazen]
    .map(f => f(values, q).toFixed(2).padStart(8));
  console.log(`  p${String(q * 100).padEnd(4)}${row.join('')}`);
}

const q1 = quantileLinear(values, 0.25);
const q3 = quantileLinear(values, 0.75);
const iqr = q3 - q1;
const [lower, upper] = [q1 - 1.5 * iqr, q3 + 1.5 * iqr];
const outliers = values.filter(v => v < lower || v > upper);

console.log('Q1:', q1, 'Q3:', q3, 'IQR:', iqr);
console.log('Fences:', lower, upper);
console.log('Outliers:', outliers);

const result = { q1, median: quantileLinear(values, 0.5), q3, iqr, outliers };
result;

// Normal distribution through the error function (Abramowitz & Stegun 7.1.26)
function erf(x) {
  const sign = x < 0 ? -1 : 1;
  x = Math.abs(x);
  const a1 = 0.254829592, a2 = -0.284496736, a3 = 1.421413741;
  const a4 = -1.453152027, a5 = 1.061405429, p = 0.3275911;
  const t = 1 / (1 + p * x);
  const y = 1 - ((((a5 * t + a4) * t + a3) * t + a2) * t + a1) * t * Math.exp(-x * x);
  return sign * y;
}
const normalCdf = (x, mu = 0, sigma = 1) => 0.5 * (1 + erf((x - mu) / (sigma * Math.SQRT2)));
const normalPdf = (x, mu = 0, sigma = 1) =>
  Math.exp(-0.5 * ((x - mu) / sigma) ** 2) / (sigma * Math.sqrt(2 * Math.PI));

// Inverse by bisection
function quantile(p, mu = 0, sigma = 1) {
  let lo = mu - 10 * sigma, hi = mu + 10 * sigma;
  for (let i = 0; i < 100; i++) {
    const mid = (lo + hi) / 2;
    if (normalCdf(mid, mu, sigma) < p) lo = mid; else hi = mid;
  }
  return (lo + hi) / 2;
}

console.log('Standard normal');
console.log('  z      pdf      cdf');
for (let z = -3; z <= 3; z += 0.5) {
  console.log(`${z.toFixed(1).padStart(4)}  ${normalPdf(z).toFixed(5)}  ${normalCdf(z).toFixed(5)}`);
}

console.log('\nIQ scores (mean 100, sd 15)');
console.log(`Above 130: ${((1 - normalCdf(130, 100, 15)) * 100).toFixed(2)}%`);
console.log(`Between 85 and 115: ${((normalCdf(115, 100, 15) - normalCdf(85, 100, 15)) * 100).toFixed(2)}%`);
console.log(`99th percentile: ${quantile(0.99, 100, 15).toFixed(1)}`);

const zs = Object.fromEntries([0.9, 0.95, 0.99].map(c => [`${c * 100}%`, Number(quantile((1 + c) / 2).toFixed(3))]));
console.log('Two-sided critical values:', zs);

// Binomial distribution: exact probabilities with BigInt coefficients
function choose(n, k) {
  if (k < 0 || k > n) return 0n;
  let r = 1n;
  for (let i = 0n; i < BigInt(k); i++) r = (r * (BigInt(n) - i)) / (i + 1n);
  return r;
}

const binomialPmf = (n, k, p) => Number(choose(n, k)) * p ** k * (1 - p) ** (n - k);
const binomialCdf = (n, k, p) => {
  let total = 0;
  for (let i = 0; i <= k; i++) total += binomialPmf(n, i, p);
  return total;
};

console.log('C(10, 3) =', choose(10, 3));
console.log('C(52, 5) =', choose(52, 5).toLocaleString());
console.log('C(100, 50) =', choose(100, 50));

console.log('\n10 fair coin flips:');
for (let k = 0; k <= 10; k++) {
  const p = binomialPmf(10, k, 0.5);
  console.log(`P(X = ${k}) = ${p.toFixed(6)} |${'*'.repeat(Math.round(p * 100))}`);
}

const atLeast8 = 1 - binomialCdf(10, 7, 0.5);
console.log(`\nP(at least 8 heads) = ${(atLeast8 * 100).toFixed(2)}%`);

// Quality control: 2% defects, 50 items, at most 2 defects
console.log(`P(at most 2 of 50 defective) = ${binomialCdf(50, 2, 0.02).toFixed(5)}`);
const n = 50, p = 0.02;
console.log(`Mean ${n * p}, standard deviation ${Math.sqrt(n * p * (1 - p)).toFixed(4)}`);

atLeast8;

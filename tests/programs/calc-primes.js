// Primes, factors, gcd, perfect numbers, Collatz, modular arithmetic
function sieve(limit) {
  const composite = new Uint8Array(limit + 1);
  const primes = [];
  for (let i = 2; i <= limit; i++) {
    if (composite[i]) continue;
    primes.push(i);
    for (let j = i * i; j <= limit; j += i) composite[j] = 1;
  }
  return primes;
}

const primes = sieve(10_000);
console.log(`${primes.length} primes below 10,000; the last is ${primes.at(-1)}`);
console.log('First 30:', primes.slice(0, 30));
const twins = primes.filter((p, i) => primes[i + 1] - p === 2).length;
console.log('Twin pairs:', twins);

function factorize(n) {
  const factors = new Map();
  for (let p = 2; p * p <= n; p++) {
    while (n % p === 0) {
      factors.set(p, (factors.get(p) ?? 0) + 1);
      n /= p;
    }
  }
  if (n > 1) factors.set(n, 1);
  return factors;
}
const superscript = n => [...String(n)].map(d => '⁰¹²³⁴⁵⁶⁷⁸⁹'[d]).join('');
for (const n of [360, 1001, 97, 2 ** 20, 600851475143]) {
  console.log(`${n} = ${[...factorize(n)].map(([p, e]) => p + (e > 1 ? superscript(e) : '')).join(' × ')}`);
}

const gcd = (a, b) => (b === 0 ? a : gcd(b, a % b));
const lcm = (...xs) => xs.reduce((a, b) => (a / gcd(a, b)) * b);
console.log('gcd(1071, 462) =', gcd(1071, 462), '| lcm(1..20) =', lcm(...Array.from({ length: 20 }, (_, i) => i + 1)));

const divisors = n => Array.from({ length: Math.floor(n / 2) }, (_, i) => i + 1).filter(d => n % d === 0);
const perfect = [];
for (let n = 2; n < 1000; n++) if (divisors(n).reduce((a, b) => a + b, 0) === n) perfect.push(n);
console.log('Perfect numbers:', perfect);

const collatz = n => { let steps = 0; while (n !== 1) { n = n % 2 ? 3 * n + 1 : n / 2; steps++; } return steps; };
let best = { n: 1, steps: 0 };
for (let n = 1; n < 10000; n++) { const steps = collatz(n); if (steps > best.steps) best = { n, steps }; }
console.log('Longest Collatz chain below 10,000:', best);

const modpow = (b, e, m) => { let r = 1n; b %= m; while (e > 0n) { if (e & 1n) r = (r * b) % m; b = (b * b) % m; e >>= 1n; } return r; };
console.log('3^200 mod 13 =', modpow(3n, 200n, 13n), '| Fermat test of 561:', modpow(2n, 560n, 561n) === 1n);
primes.slice(0, 25).reduce((a, b) => a + b);

// A Markov chain for the weather: n-step forecast and stationary distribution
const states = ['sunny', 'cloudy', 'rainy'];
const P = [
  [0.7, 0.2, 0.1],
  [0.3, 0.4, 0.3],
  [0.2, 0.3, 0.5],
];

P.forEach((row, i) => {
  const sum = row.reduce((a, b) => a + b, 0);
  console.assert(Math.abs(sum - 1) < 1e-9, `row ${states[i]} sums to ${sum}`);
});

const step = v => P[0].map((_, j) => v.reduce((s, x, i) => s + x * P[i][j], 0));
const show = v => v.map((x, i) => `${states[i]} ${(x * 100).toFixed(1)}%`).join(', ');

let today = [1, 0, 0];
for (let day = 1; day <= 5; day++) {
  today = step(today);
  console.log(`Day ${day}: ${show(today)}`);
}

let pi = [1 / 3, 1 / 3, 1 / 3];
let iterations = 0;
while (true) {
  const next = step(pi);
  const change = Math.max(...next.map((x, i) => Math.abs(x - pi[i])));
  pi = next;
  iterations++;
  if (change < 1e-6 || iterations > 1000) break;
}
console.log(`Stationary after ${iterations > 5 ? 'several' : 'few'} iterations: ${show(pi)}`);

// Expected return time to each state
const returnTimes = Object.fromEntries(states.map((s, i) => [s, (1 / pi[i]).toFixed(2)]));
console.log('Mean return times (days):', returnTimes);

// Entropy of the chain in bits per day
const entropy = -P.reduce((h, row, i) => h + pi[i] * row.reduce((s, p) => s + p * Math.log2(p), 0), 0);
console.info(`Entropy rate: ${entropy.toFixed(3)} bits`);
const likely = pi.indexOf(Math.max(...pi));
states[likely];

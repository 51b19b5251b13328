// Calls to a help desk arrive at 4.5 per hour on average
const lambda = 4.5;

function poisson(k, rate) {
  let p = Math.exp(-rate);
  for (let i = 1; i <= k; i++) p *= rate / i;
  return p;
}

let cumulative = 0;
const rows = [];
for (let k = 0; cumulative < 0.999; k++) {
  const p = poisson(k, lambda);
  cumulative += p;
  rows.push({ k, p: p.toFixed(4), cumulative: cumulative.toFixed(4) });
}
console.table(rows);

const none = poisson(0, lambda);
const moreThan7 = 1 - rows.slice(0, 8).reduce((s, r) => s + poisson(r.k, lambda), 0);
console.log(`P(no call in an hour) = ${(none * 100).toFixed(2)}%`);
console.log(`P(more than 7 calls) = ${(moreThan7 * 100).toFixed(2)}%`);

// Waiting times between calls are exponential
const within = minutes => 1 - Math.exp((-lambda * minutes) / 60);
[5, 10, 15, 30].forEach(m => console.log(`P(next call within ${String(m).padStart(2)} min) = ${within(m).toFixed(3)}`));
console.log('Median wait:', (Math.log(2) / lambda * 60).toFixed(1), 'minutes');

const staff = rows.find(r => Number(r.cumulative) >= 0.95).k;
console.log(`Capacity for 95% of the hours: ${staff} calls`);

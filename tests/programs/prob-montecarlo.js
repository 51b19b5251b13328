// Monte Carlo with a seeded linear congruential generator
class Random {
  constructor(seed) { this.state = seed >>> 0; }
  next() {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return this.state / 2 ** 32;
  }
  int(min, max) { return min + Math.floor(this.next() * (max - min + 1)); }
  pick(list) { return list[this.int(0, list.length - 1)]; }
  shuffle(list) {
    const a = list.slice();
    for (let i = a.length - 1; i > 0; i--) {
      const j = this.int(0, i);
      [a[i], a[j]] = [a[j], a[i]];
    }
    return a;
  }
}

const rng = new Random(42);

let inside = 0;
const trials = 100_000;
for (let i = 0; i < trials; i++) {
  const x = rng.next(), y = rng.next();
  if (x * x + y * y <= 1) inside++;
}
const pi = (4 * inside) / trials;
console.log(`π ≈ ${pi.toFixed(5)} after ${trials.toLocaleString('en-US')} points (error ${Math.abs(pi - Math.PI).toFixed(5)})`);

const rolls = Array.from({ length: 6000 }, () => rng.int(1, 6) + rng.int(1, 6));
const freq = rolls.reduce((m, r) => m.set(r, (m.get(r) ?? 0) + 1), new Map());
for (const [value, count] of [...freq].sort(([a], [b]) => a - b)) {
  const expected = (6 - Math.abs(7 - value)) / 36;
  console.log(`${String(value).padStart(2)}: ${(count / 60).toFixed(1).padStart(4)}% (expected ${(expected * 100).toFixed(1)}%)`);
}

// Birthday problem with 23 people
let shared = 0;
for (let t = 0; t < 2000; t++) {
  const days = new Set();
  for (let i = 0; i < 23; i++) days.add(rng.int(1, 365));
  if (days.size < 23) shared++;
}
console.log(`Shared birthday in ${((shared / 2000) * 100).toFixed(1)}% of the groups`);
console.log('Shuffled:', rng.shuffle(['A', 'B', 'C', 'D', 'E', 'F']).join(''));
rng.pick(['rock', 'paper', 'scissors']);

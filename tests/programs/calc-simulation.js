// Predator and prey, compound decay, and a game of life; the last loop's value is the program's
let rabbits = 40, foxes = 9;
const snapshots = [];
for (let month = 0; month <= 24; month++) {
  if (month % 6 === 0) snapshots.push({ month, rabbits: Math.round(rabbits), foxes: Math.round(foxes) });
  const births = 0.1 * rabbits, eaten = 0.01 * rabbits * foxes;
  const cubs = 0.002 * rabbits * foxes, deaths = 0.08 * foxes;
  rabbits += births - eaten;
  foxes += cubs - deaths;
}
console.table(snapshots);

const halfLife = 5730;
const age = fraction => Math.round((-Math.log(fraction) / Math.log(2)) * halfLife);
console.log('Carbon dating:', [0.9, 0.5, 0.25, 0.01].map(f => `${f * 100}% → ${age(f).toLocaleString('en-US')} years`).join('; '));

const step = grid => grid.map((row, y) => row.map((cell, x) => {
  let n = 0;
  for (let dy = -1; dy <= 1; dy++)
    for (let dx = -1; dx <= 1; dx++)
      if ((dy || dx) && grid[y + dy]?.[x + dx]) n++;
  return n === 3 || (cell && n === 2) ? 1 : 0;
}));
const draw = grid => grid.map(r => r.map(c => '·█'[c]).join('')).join('\n');

let glider = Array.from({ length: 7 }, () => Array(7).fill(0));
[[0, 1], [1, 2], [2, 0], [2, 1], [2, 2]].forEach(([y, x]) => (glider[y][x] = 1));
console.log(draw(glider));
for (let i = 0; i < 8; i++) glider = step(glider);
console.log('after 8 generations');
console.log(draw(glider));

const rule30 = row => row.map((c, i) => (row[i - 1] ?? 0) ^ (c | (row[i + 1] ?? 0)));
let row = [...'0000000010000000'].map(Number);
outer: for (let g = 0; ; g++) {
  console.log(row.map(c => (c ? '#' : ' ')).join('').trimEnd());
  row = rule30(row);
  if (g === 6) break outer;
}

const population = [];
let x = 0.4;
for (let i = 0; i < 5; i++) {
  x = 3.2 * x * (1 - x);
  population.push(Number(x.toFixed(3)));
}

// Pearson and Spearman correlation between study hours and exam score
const hours = [2, 3, 5, 7, 9, 10, 12, 13, 15, 16];
const score = [50, 54, 61, 58, 66, 71, 80, 79, 88, 93];

const mean = xs => xs.reduce((a, b) => a + b, 0) / xs.length;

function pearson(x, y) {
  if (x.length !== y.length) throw new Error('arrays must have the same length');
  const mx = mean(x), my = mean(y);
  let num = 0, dx = 0, dy = 0;
  for (let i = 0; i < x.length; i++) {
    num += (x[i] - mx) * (y[i] - my);
    dx += (x[i] - mx) ** 2;
    dy += (y[i] - my) ** 2;
  }
  return num / Math.sqrt(dx * dy);
}

// average ranks for ties
function ranks(xs) {
  const order = xs.map((v, i) => [v, i]).sort((a, b) => a[0] - b[0]);
  const out = new Array(xs.length);
  let i = 0;
  while (i < order.length) {
    let j = i;
    while (j + 1 < order.length && order[j + 1][0] === order[i][0]) j++;
    for (let k = i; k <= j; k++) out[order[k][1]] = (i + j) / 2 + 1;
    i = j + 1;
  }
  return out;
}

const r = pearson(hours, score);
const rho = pearson(ranks(hours), ranks(score));
const t = r * Math.sqrt((hours.length - 2) / (1 - r * r));

console.log('Ranks of score:', ranks(score));
console.log('Ranks with ties:', ranks([3, 1, 3, 2, 3]));
console.log(`Pearson r   = ${r.toFixed(4)}`);
console.log(`R squared   = ${(r ** 2).toFixed(4)}`);
console.log(`Spearman rho = ${rho.toFixed(4)}`);
console.log(`t statistic = ${t.toFixed(3)} with ${hours.length - 2} degrees of freedom`);

const strength = Math.abs(r) > 0.7 ? 'strong' : Math.abs(r) > 0.4 ? 'moderate' : 'weak';
`The correlation is ${strength} and ${r > 0 ? 'positive' : 'negative'} (r = ${r.toFixed(2)}).`;

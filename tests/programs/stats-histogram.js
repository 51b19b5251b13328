// Text histogram with Sturges' rule for the number of bins
const heights = [
  161, 172, 168, 155, 180, 177, 165, 169, 174, 171,
  158, 163, 185, 190, 167, 170, 173, 166, 162, 176,
  179, 164, 168, 171, 175, 160, 181, 169, 172, 170,
];

const k = Math.ceil(Math.log2(heights.length) + 1);
const min = Math.min(...heights);
const max = Math.max(...heights);
const width = (max - min) / k;

const bins = Array.from({ length: k }, (_, i) => ({
  from: min + i * width,
  to: min + (i + 1) * width,
  count: 0,
}));

for (const h of heights) {
  const i = Math.min(Math.floor((h - min) / width), k - 1);
  bins[i].count++;
}

console.log(`${heights.length} values, ${k} bins of width ${width.toFixed(2)}`);
const longest = Math.max(...bins.map(b => b.count));
bins.forEach(({ from, to, count }) => {
  const bar = '█'.repeat(Math.round((count / longest) * 20));
  const label = `${from.toFixed(1)}–${to.toFixed(1)}`;
  console.log(`${label.padStart(13)} | ${bar} ${count}`);
});

let running = 0;
const cumulative = bins.map(b => (running += b.count));
console.log('Cumulative counts:', cumulative);
console.assert(running === heights.length, 'every value must fall in one bin');

const cdf = cumulative.map(c => +(c / heights.length).toFixed(3));
cdf

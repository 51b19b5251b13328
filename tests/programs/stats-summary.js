// Descriptive statistics for a sample of response times (milliseconds)
const data = [112, 98, 105, 130, 98, 121, 119, 98, 143, 107, 115, 126];

const n = data.length;
const mean = data.reduce((sum, x) => sum + x, 0) / n;
const sorted = [...data].sort((a, b) => a - b);
const median = n % 2 === 0
  ? (sorted[n / 2 - 1] + sorted[n / 2]) / 2
  : sorted[Math.floor(n / 2)];

const counts = {};
for (const x of data) counts[x] = (counts[x] || 0) + 1;
const maxCount = Math.max(...Object.values(counts));
const modes = Object.keys(counts).filter(k => counts[k] === maxCount).map(Number);

const sampleVariance = data.reduce((s, x) => s + (x - mean) ** 2, 0) / (n - 1);
const populationVariance = data.reduce((s, x) => s + (x - mean) ** 2, 0) / n;
const std = Math.sqrt(sampleVariance);
const stderr = std / Math.sqrt(n);

console.log(`n = ${n}`);
console.log(`Mean: ${mean.toFixed(3)}`);
console.log(`Median: ${median}`);
console.log(`Mode(s): ${modes.join(', ')} (appears ${maxCount} times)`);
console.log(`Range: ${sorted[0]} - ${sorted.at(-1)} (${sorted.at(-1) - sorted[0]})`);
console.log(`Sample variance: ${sampleVariance.toFixed(4)}`);
console.log(`Population variance: ${populationVariance.toFixed(4)}`);
console.log(`Sample standard deviation: ${std.toFixed(4)}`);
console.log(`Standard error: ${stderr.toFixed(4)}`);
console.log(`Coefficient of variation: ${((std / mean) * 100).toFixed(2)}%`);
console.log(`95% CI: [${(mean - 1.96 * stderr).toFixed(2)}, ${(mean + 1.96 * stderr).toFixed(2)}]`);

({ n, mean: Math.round(mean * 1000) / 1000, median, modes, std: Math.round(std * 1e4) / 1e4 });

// Moving averages and a running (Welford) variance on a small time series
const series = [12.1, 12.4, 11.9, 13.0, 13.6, 12.8, 14.1, 14.9, 14.2, 15.3, 15.0, 16.2];

function movingAverage(xs, window) {
  const out = [];
  for (let i = 0; i + window <= xs.length; i++) {
    const slice = xs.slice(i, i + window);
    out.push(slice.reduce((a, b) => a + b, 0) / window);
  }
  return out;
}

function ema(xs, alpha) {
  return xs.reduce((acc, x, i) => {
    acc.push(i === 0 ? x : alpha * x + (1 - alpha) * acc[i - 1]);
    return acc;
  }, []);
}

class Welford {
  #n = 0; #mean = 0; #m2 = 0;
  push(x) {
    this.#n += 1;
    const d = x - this.#mean;
    this.#mean += d / this.#n;
    this.#m2 += d * (x - this.#mean);
    return this;
  }
  get mean() { return this.#mean; }
  get variance() { return this.#n > 1 ? this.#m2 / (this.#n - 1) : NaN; }
}

const round = (x, d = 3) => Number(x.toFixed(d));
console.log('SMA(3):', movingAverage(series, 3).map(x => round(x, 2)));
console.log('EMA(0.5):', ema(series, 0.5).map(x => round(x, 2)));

const w = new Welford();
console.log('Variance of nothing:', w.variance);
for (const x of series) w.push(x);
console.log('Running mean and variance:', round(w.mean), round(w.variance));

const diffs = series.slice(1).map((x, i) => round(x - series[i], 1));
const ups = diffs.filter(d => d > 0).length;
console.log('Differences:', diffs.join(' '));
console.log(`${ups} rises, ${diffs.length - ups} falls; largest drop ${Math.min(...diffs)}`);

const pct = series.map((x, i) => i === 0 ? null : round((x / series[i - 1] - 1) * 100, 2));
pct;

// FFT on typed arrays, a queue simulation, and iterator helpers
function fft(re, im) {
  const n = re.length;
  if (n === 1) return [re, im];
  const half = n / 2;
  const pick = (a, o) => Float64Array.from({ length: half }, (_, i) => a[2 * i + o]);
  const [er, ei] = fft(pick(re, 0), pick(im, 0));
  const [or, oi] = fft(pick(re, 1), pick(im, 1));
  const [outR, outI] = [new Float64Array(n), new Float64Array(n)];
  for (let k = 0; k < half; k++) {
    const c = Math.cos((-2 * Math.PI * k) / n), s = Math.sin((-2 * Math.PI * k) / n);
    const tr = c * or[k] - s * oi[k], ti = s * or[k] + c * oi[k];
    outR[k] = er[k] + tr; outI[k] = ei[k] + ti;
    outR[k + half] = er[k] - tr; outI[k + half] = ei[k] - ti;
  }
  return [outR, outI];
}
const N = 64;
const signal = Float64Array.from({ length: N }, (_, i) => 3 * Math.sin((2 * Math.PI * 5 * i) / N) + Math.cos((2 * Math.PI * 12 * i) / N));
const [re, im] = fft(signal, new Float64Array(N));
const spectrum = Array.from(re, (r, k) => [k, (2 * Math.hypot(r, im[k])) / N]).slice(0, N / 2);
console.log('Peaks:', spectrum.filter(([, a]) => a > 0.1).map(([k, a]) => `${k} Hz: ${a.toFixed(3)}`));

// One server, arrivals and service from a seeded generator
let seed = 2024;
const random = () => { seed = (seed * 48271) % 2147483647; return seed / 2147483647; };
const exponential = mean => -mean * Math.log(1 - random());
let clock = 0, free = 0, waited = 0, longest = 0;
for (let i = 0; i < 1000; i++) {
  clock += exponential(5);
  const begin = Math.max(clock, free);
  waited += begin - clock;
  longest = Math.max(longest, begin - clock);
  free = begin + exponential(4);
}
console.log(`Mean wait ${(waited / 1000).toFixed(1)} min, longest ${longest.toFixed(1)} min`);

function* naturals(n = 1) { while (true) yield n++; }
console.log(naturals().filter(n => n % 3 === 0).map(n => n * n).take(5).toArray());
console.log([...[5, 6, 7].values().map(x => x * 2).drop(1)], new Set('abc').values().map(c => c.toUpperCase()).toArray().join(''));
console.log(naturals().take(100).reduce((a, b) => a + b), naturals().find(n => n * n > 500), new Map([['a', 1]]).entries().toArray());
console.log(naturals(7).flatMap(n => [n, -n]).take(4).toArray(), [1, 2].values().some(x => x > 1), [1, 2].values().every(x => x > 1));

const ints = new Int32Array([5, 1, 4]);
console.log(ints.toSorted(), ints, new Uint8ClampedArray([-5, 300, 1.5]), Uint8Array.of(250, 260), new Float32Array([0.1])[0] === 0.1);
const view = new DataView(new ArrayBuffer(8));
view.setFloat64(0, Math.PI);
console.log([...new Uint8Array(view.buffer)].map(b => b.toString(16).padStart(2, '0')).join(' '), view.getInt16(0), view.getUint16(0, true));
const smooth = signal.map((x, i, all) => (all[Math.max(0, i - 1)] + x + all[Math.min(N - 1, i + 1)]) / 3);
console.log(smooth.length, smooth.subarray(0, 3).map(x => Math.round(x * 100)), signal.findIndex(x => x > 3));
spectrum.reduce((m, e) => (e[1] > m[1] ? e : m))[0];

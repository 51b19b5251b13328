// Ordinary least squares with diagnostics
const points = [
  { year: 2015, sales: 210 }, { year: 2016, sales: 232 }, { year: 2017, sales: 241 },
  { year: 2018, sales: 275 }, { year: 2019, sales: 290 }, { year: 2020, sales: 281 },
  { year: 2021, sales: 322 }, { year: 2022, sales: 345 }, { year: 2023, sales: 361 },
];

function linearRegression(xs, ys) {
  const n = xs.length;
  const sx = xs.reduce((a, b) => a + b, 0);
  const sy = ys.reduce((a, b) => a + b, 0);
  const mx = sx / n, my = sy / n;
  let sxx = 0, sxy = 0, syy = 0;
  for (let i = 0; i < n; i++) {
    sxx += (xs[i] - mx) * (xs[i] - mx);
    sxy += (xs[i] - mx) * (ys[i] - my);
    syy += (ys[i] - my) * (ys[i] - my);
  }
  const slope = sxy / sxx;
  const intercept = my - slope * mx;
  const sse = ys.reduce((s, y, i) => s + (y - (intercept + slope * xs[i])) ** 2, 0);
  const r2 = 1 - sse / syy;
  const se = Math.sqrt(sse / (n - 2) / sxx);
  return { slope, intercept, r2, se, sse };
}

const xs = points.map(p => p.year), ys = points.map(p => p.sales);
const fit = linearRegression(xs, ys);
const predict = year => fit.intercept + fit.slope * year;

console.log('=== Linear trend of sales ===');
console.log(`y = ${fit.slope.toFixed(4)}x ${fit.intercept < 0 ? '-' : '+'} ${Math.abs(fit.intercept).toFixed(2)}`);
console.log(`R² = ${fit.r2.toFixed(4)}, slope standard error = ${fit.se.toFixed(4)}`);
console.log('');
console.log('Year   Actual  Fitted  Residual');
for (const { year, sales } of points) {
  const f = predict(year);
  console.log(`${year}  ${String(sales).padStart(6)}  ${f.toFixed(1).padStart(6)}  ${(sales - f).toFixed(1).padStart(8)}`);
}
for (const year of [2024, 2025, 2030]) console.log(`Forecast ${year}: ${Math.round(predict(year))}`);

JSON.stringify({ slope: +fit.slope.toFixed(3), r2: +fit.r2.toFixed(3) });

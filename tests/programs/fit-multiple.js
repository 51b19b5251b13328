// Multiple regression: price ~ area + rooms, via the matrix formula
const houses = [
  [50, 2, 155], [65, 2, 187], [70, 3, 210], [80, 3, 232],
  [85, 3, 240], [95, 4, 277], [110, 4, 305], [120, 5, 340],
];

const transpose = m => m[0].map((_, c) => m.map(row => row[c]));
const multiply = (a, b) => a.map(row => transpose(b).map(col => row.reduce((s, x, i) => s + x * col[i], 0)));
const inverse3 = m => {
  const [[a, b, c], [d, e, f], [g, h, i]] = m;
  const det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  const adj = [
    [e * i - f * h, c * h - b * i, b * f - c * e],
    [f * g - d * i, a * i - c * g, c * d - a * f],
    [d * h - e * g, b * g - a * h, a * e - b * d],
  ];
  return adj.map(r => r.map(v => v / det));
};

const X = houses.map(([area, rooms]) => [1, area, rooms]);
const y = houses.map(h => [h[2]]);
const Xt = transpose(X);
console.log('XᵀX =', multiply(Xt, X));

const beta = multiply(multiply(inverse3(multiply(Xt, X)), Xt), y).flat();
console.log(`price = ${beta[0].toFixed(2)} + ${beta[1].toFixed(3)}·area + ${beta[2].toFixed(3)}·rooms`);

const fitted = multiply(X, beta.map(v => [v])).flat();
const meanY = y.flat().reduce((a, v) => a + v, 0) / y.length;
const ssTot = y.flat().reduce((s, v) => s + (v - meanY) ** 2, 0);
const ssRes = y.flat().reduce((s, v, i) => s + (v - fitted[i]) ** 2, 0);
const r2 = 1 - ssRes / ssTot;
const adjusted = 1 - (1 - r2) * (houses.length - 1) / (houses.length - 3);

console.table(houses.map(([area, rooms, price], i) => ({ area, rooms, price, fitted: fitted[i].toFixed(1) })));
console.log('R² %s, adjusted %s', r2.toFixed(4), adjusted.toFixed(4));
const estimate = (area, rooms) => Math.round(beta[0] + beta[1] * area + beta[2] * rooms);
({ '75 m², 3 rooms': estimate(75, 3), '100 m², 4 rooms': estimate(100, 4) })

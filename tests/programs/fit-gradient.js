'use strict';
// Logistic regression by gradient descent: pass/fail by hours of study
const X = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 1.75, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 4, 4.25, 4.5, 4.75, 5, 5.5];
const Y = [0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1];

const sigmoid = z => 1 / (1 + Math.exp(-z));
let w = 0, b = 0;
const rate = 0.3;
const loss = () => -X.reduce((s, x, i) => {
  const p = sigmoid(w * x + b);
  return s + Y[i] * Math.log(p) + (1 - Y[i]) * Math.log(1 - p);
}, 0) / X.length;

for (let epoch = 0; epoch <= 5000; epoch++) {
  if (epoch % 1000 === 0) console.log(`epoch ${String(epoch).padStart(4)}  loss ${loss().toFixed(5)}`);
  let dw = 0, db = 0;
  for (let i = 0; i < X.length; i++) {
    const err = sigmoid(w * X[i] + b) - Y[i];
    dw += err * X[i];
    db += err;
  }
  w -= (rate * dw) / X.length;
  b -= (rate * db) / X.length;
}

console.log(`w = ${w.toFixed(3)}, b = ${b.toFixed(3)}`);
console.log(`Half of the students pass at ${(-b / w).toFixed(2)} hours`);

const confusion = { tp: 0, fp: 0, tn: 0, fn: 0 };
X.forEach((x, i) => {
  const guess = sigmoid(w * x + b) >= 0.5 ? 1 : 0;
  confusion[guess === 1 ? (Y[i] ? 'tp' : 'fp') : (Y[i] ? 'fn' : 'tn')]++;
});
console.log('Confusion:', confusion);
const { tp, fp, tn, fn } = confusion;
const precision = tp / (tp + fp), recall = tp / (tp + fn);
({ accuracy: (tp + tn) / X.length, precision, recall, f1: (2 * precision * recall) / (precision + recall) });

// Quadratic fit by the normal equations and Gaussian elimination
function solve(A, b) {
  const n = b.length;
  const M = A.map((row, i) => [...row, b[i]]);
  for (let col = 0; col < n; col++) {
    let pivot = col;
    for (let r = col + 1; r < n; r++) if (Math.abs(M[r][col]) > Math.abs(M[pivot][col])) pivot = r;
    [M[col], M[pivot]] = [M[pivot], M[col]];
    if (Math.abs(M[col][col]) < 1e-12) throw new Error('The matrix is singular');
    for (let r = col + 1; r < n; r++) {
      const f = M[r][col] / M[col][col];
      for (let c = col; c <= n; c++) M[r][c] -= f * M[col][c];
    }
  }
  const x = new Array(n).fill(0);
  for (let r = n - 1; r >= 0; r--) {
    let s = M[r][n];
    for (let c = r + 1; c < n; c++) s -= M[r][c] * x[c];
    x[r] = s / M[r][r];
  }
  return x;
}

function polyfit(xs, ys, degree) {
  const size = degree + 1;
  const powers = Array.from({ length: 2 * degree + 1 }, (_, p) => xs.reduce((s, x) => s + x ** p, 0));
  const A = Array.from({ length: size }, (_, i) => Array.from({ length: size }, (_, j) => powers[i + j]));
  const b = Array.from({ length: size }, (_, i) => xs.reduce((s, x, k) => s + ys[k] * x ** i, 0));
  return solve(A, b);
}

// Height of a thrown ball, measured every 0.5 s
const t = [0, 0.5, 1, 1.5, 2, 2.5, 3];
const h = [1.6, 10.2, 16.5, 20.3, 21.9, 20.8, 17.4];
const [c, v0, a] = polyfit(t, h, 2);

console.log(`h(t) = ${c.toFixed(3)} + ${v0.toFixed(3)}t ${a.toFixed(3)}t²`);
console.log(`Estimated g: ${(-2 * a).toFixed(2)} m/s²`);
const apex = -v0 / (2 * a);
console.log(`Apex at t = ${apex.toFixed(2)} s, height ${(c + v0 * apex + a * apex ** 2).toFixed(2)} m`);
const landing = (-v0 - Math.sqrt(v0 * v0 - 4 * a * c)) / (2 * a);
console.log(`Lands after ${landing.toFixed(2)} s`);

try {
  polyfit([1, 1, 1], [2, 2, 2], 2);
} catch (e) {
  console.error('Degenerate input:', e.message);
}
[c, v0, a].map(x => Math.round(x * 100) / 100);

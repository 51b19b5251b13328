// Matrices: determinant, inverse, linear system, power, eigenvalue
const identity = n => Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => +(i === j)));
const multiply = (A, B) => A.map(r => B[0].map((_, j) => r.reduce((s, x, k) => s + x * B[k][j], 0)));
const transpose = A => A[0].map((_, j) => A.map(r => r[j]));

function determinant(A) {
  if (A.length === 1) return A[0][0];
  return A[0].reduce((s, x, j) => s + (j % 2 ? -1 : 1) * x * determinant(A.slice(1).map(r => r.filter((_, k) => k !== j))), 0);
}

function inverse(A) {
  const n = A.length;
  const M = A.map((r, i) => [...r, ...identity(n)[i]]);
  for (let c = 0; c < n; c++) {
    const p = M.findIndex((r, i) => i >= c && Math.abs(r[c]) > 1e-12);
    if (p < 0) throw new Error(`Matrix is singular (column ${c})`);
    [M[c], M[p]] = [M[p], M[c]];
    const pivot = M[c][c];
    M[c] = M[c].map(x => x / pivot);
    for (let r = 0; r < n; r++) {
      if (r === c) continue;
      const f = M[r][c];
      M[r] = M[r].map((x, k) => x - f * M[c][k]);
    }
  }
  return M.map(r => r.slice(n));
}

const show = (label, A) => console.log(`${label}\n${A.map(r => '  ' + r.map(x => (Math.abs(x) < 1e-9 ? 0 : x).toFixed(2).padStart(7)).join('')).join('\n')}`);

const A = [[4, 7, 2], [3, 6, 1], [2, 5, 3]];
console.log('det A =', determinant(A));
show('A⁻¹ =', inverse(A));
show('A·A⁻¹ =', multiply(A, inverse(A)));
console.log('Aᵀ =', transpose(A));

const x = multiply(inverse(A), [[1], [2], [3]]).flat();
console.log('Solution:', x.map(v => +v.toFixed(4)));

const power = (M, n) => n === 0 ? identity(M.length) : n % 2 ? multiply(M, power(M, n - 1)) : power(multiply(M, M), n / 2);
console.log('Fibonacci matrix^30:', power([[1, 1], [1, 0]], 30));

let v = [1, 1, 1], lambda = 0;
for (let i = 0; i < 100; i++) {
  const w = A.map(r => r.reduce((s, a, k) => s + a * v[k], 0));
  lambda = Math.hypot(...w);
  v = w.map(c => c / lambda);
}
console.log('Dominant eigenvalue ≈', lambda.toFixed(4));
const rotate = ([[a, b], [c, d]]) => [[c, a], [d, b]];
console.log(rotate([[1, 2], [3, 4]]), [[1, [2, [3]]]].flat(Infinity), identity(2));
inverse([[1, 2], [2, 4]]);

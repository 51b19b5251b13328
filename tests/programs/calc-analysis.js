// Roots, integrals, differential equations, interpolation
const newton = (f, df, x0, tolerance = 1e-12) => {
  let x = x0;
  for (let i = 1; i <= 50; i++) {
    const next = x - f(x) / df(x);
    if (Math.abs(next - x) < tolerance) return { root: next, iterations: i };
    x = next;
  }
  throw new Error('Newton did not converge');
};
const { root, iterations } = newton(x => x ** 3 - 2 * x - 5, x => 3 * x ** 2 - 2, 2);
console.log(`x³ − 2x − 5 = 0 at x = ${root.toFixed(8)} (${iterations < 10 ? 'fast' : 'slow'})`);

const bisect = (f, a, b) => {
  while (b - a > 1e-10) { const m = (a + b) / 2; f(a) * f(m) <= 0 ? (b = m) : (a = m); }
  return (a + b) / 2;
};
console.log('cos x = x at', bisect(x => Math.cos(x) - x, 0, 1).toFixed(6));

const simpson = (f, a, b, n = 100) => {
  const h = (b - a) / n;
  let s = f(a) + f(b);
  for (let i = 1; i < n; i++) s += f(a + i * h) * (i % 2 ? 4 : 2);
  return (s * h) / 3;
};
const trapezoid = (f, a, b, n = 100) => {
  const h = (b - a) / n;
  return h * Array.from({ length: n + 1 }, (_, i) => f(a + i * h) * (i === 0 || i === n ? 0.5 : 1)).reduce((p, q) => p + q);
};
const table = [['x²', x => x * x, 0, 3], ['sin', Math.sin, 0, Math.PI], ['1/x', x => 1 / x, 1, Math.E], ['e^-x²', x => Math.exp(-x * x), -5, 5]];
for (const [name, f, a, b] of table) {
  console.log(`∫ ${name.padEnd(6)} Simpson ${simpson(f, a, b).toFixed(6)}  trapezoid ${trapezoid(f, a, b).toFixed(4)}`);
}

// Runge–Kutta for logistic growth y' = r y (1 - y/K)
const rk4 = (f, y, t, h) => {
  const k1 = f(t, y), k2 = f(t + h / 2, y + (h / 2) * k1), k3 = f(t + h / 2, y + (h / 2) * k2), k4 = f(t + h, y + h * k3);
  return y + (h / 6) * (k1 + 2 * k2 + 2 * k3 + k4);
};
let y = 10;
const exact = t => 1000 / (1 + 99 * Math.exp(-0.5 * t));
for (let i = 0; i <= 20; i++) {
  if (i % 5 === 0) console.log(`t=${String(i).padStart(2)} y=${y.toFixed(2).padStart(7)} exact=${exact(i).toFixed(2).padStart(7)}`);
  y = rk4((_, v) => 0.5 * v * (1 - v / 1000), y, i, 1);
}

const lagrange = (pts, x) => pts.reduce((s, [xi, yi], i) => s + yi * pts.reduce((p, [xj], j) => (i === j ? p : (p * (x - xj)) / (xi - xj)), 1), 0);
console.log('Interpolated:', lagrange([[1, 1], [2, 4], [4, 16]], 3));
const derivative = (f, h = 1e-5) => x => (f(x + h) - f(x - h)) / (2 * h);
console.log("sin'(0) ≈", derivative(Math.sin)(0).toFixed(6), '| ln 2 by series', Array.from({ length: 40 }, (_, k) => 1 / ((k + 1) * 2 ** (k + 1))).reduce((a, b) => a + b).toFixed(10));
Number(root.toPrecision(6));

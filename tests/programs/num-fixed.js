// toFixed, toPrecision, toExponential, rounding and number parsing
const samples = [0, 1, -1.5, 1.005, 2.5, 1234.5678, 0.000001234, 1e21, 123456789, -0.0004];

console.log('value'.padEnd(14), 'toFixed(2)'.padEnd(24), 'toPrecision(3)'.padEnd(15), 'toExponential(2)');
for (const x of samples) {
  console.log(String(x).padEnd(14), x.toFixed(2).padEnd(24), x.toPrecision(3).padEnd(15), x.toExponential(2));
}

const roundTo = (x, digits) => Math.round((x + Number.EPSILON) * 10 ** digits) / 10 ** digits;
console.log('roundTo(1.005, 2) =', roundTo(1.005, 2));
console.log('Math.round:', [2.5, -2.5, 0.49999999999999994, 3.5].map(Math.round));
console.log('trunc, floor, ceil of -4.7:', Math.trunc(-4.7), Math.floor(-4.7), Math.ceil(-4.7));
console.log('sign:', [-3, 0, 7].map(Math.sign));

const bankers = x => {
  const r = Math.round(x);
  return Math.abs(x % 1) === 0.5 && r % 2 !== 0 ? r - 1 : r;
};
console.log("Banker's rounding:", [0.5, 1.5, 2.5, 3.5].map(bankers));

console.log('Radix:', (255).toString(2), (255).toString(16).toUpperCase(), (0.5).toString(2), (-255).toString(36));
console.log('Parse:', parseInt('42px', 10), parseFloat('3.14abc'), Number('0x1f'), Number(''), Number('12 3'), +'1e3');
console.log('Limits:', Number.MAX_SAFE_INTEGER, Number.MIN_VALUE, Number.MAX_VALUE, Number.EPSILON);
console.log('Integers:', Number.isInteger(5.0), Number.isSafeInteger(2 ** 53), (0.1).toFixed(20));
console.log(1 / 3, 2 / 3, 100 / 3, 1e-7, 123e-20, 1e100, 4.35 * 100, 1.1 + 2.2);

const scientific = n => {
  const [m, e] = n.toExponential(3).split('e');
  return `${m} × 10^${Number(e)}`;
};
[602214076e15, 0.00000000006674, 299792458].map(scientific);

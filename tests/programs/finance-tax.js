// Progressive income tax with brackets
const brackets = [
  { upTo: 11_600, rate: 0.10 },
  { upTo: 47_150, rate: 0.12 },
  { upTo: 100_525, rate: 0.22 },
  { upTo: 191_950, rate: 0.24 },
  { upTo: 243_725, rate: 0.32 },
  { upTo: 609_350, rate: 0.35 },
  { upTo: Infinity, rate: 0.37 },
];
const deduction = 14_600;
const usd = (n, digits = 0) => '$' + n.toLocaleString(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits });

function tax(income) {
  let taxable = Math.max(0, income - deduction);
  let owed = 0, floor = 0, marginal = 0;
  for (const { upTo, rate } of brackets) {
    if (taxable <= floor) break;
    const slice = Math.min(taxable, upTo) - floor;
    owed += slice * rate;
    marginal = rate;
    floor = upTo;
  }
  return { owed, marginal, effective: income ? owed / income : 0 };
}

console.log('Income'.padStart(12), 'Tax'.padStart(14), 'Effective'.padStart(10), 'Marginal'.padStart(9));
for (const income of [0, 14_600, 40_000, 75_000, 120_000, 250_000, 1_000_000]) {
  const { owed, marginal, effective } = tax(income);
  console.log(
    usd(income).padStart(12),
    usd(owed, 2).padStart(14),
    `${(effective * 100).toFixed(2)}%`.padStart(10),
    `${(marginal * 100).toFixed(0)}%`.padStart(9),
  );
}

// Splitting a bill fairly in whole cents
const split = (total, people) => {
  const cents = Math.round(total * 100);
  return Array.from({ length: people }, (_, i) => (Math.floor(cents / people) + (i < cents % people ? 1 : 0)) / 100);
};
const shares = split(100, 3);
console.log('Shares:', shares, 'sum', shares.reduce((a, b) => a + b).toFixed(2));
console.log('Floating point:', 0.1 + 0.2, (0.1 + 0.2).toFixed(2), 0.1 + 0.2 === 0.3);
tax(75_000).owed;

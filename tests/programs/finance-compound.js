// Compound interest at several compounding frequencies
const principal = 10000;
const rate = 0.05;
const years = 10;

const usd = amount => amount.toLocaleString('en-US', { style: 'currency', currency: 'USD' });

const frequencies = { annually: 1, quarterly: 4, monthly: 12, daily: 365 };
console.log(`${usd(principal)} at ${(rate * 100).toFixed(1)}% for ${years} years`);
for (const [name, n] of Object.entries(frequencies)) {
  const amount = principal * Math.pow(1 + rate / n, n * years);
  console.log(`  ${name.padEnd(10)} ${usd(amount).padStart(11)}  (interest ${usd(amount - principal)})`);
}
const continuous = principal * Math.exp(rate * years);
console.log(`  ${'continuous'.padEnd(10)} ${usd(continuous).padStart(11)}  (interest ${usd(continuous - principal)})`);

// Effective annual rate
const ear = (Math.pow(1 + rate / 12, 12) - 1) * 100;
console.log(`Effective annual rate (monthly): ${ear.toFixed(3)}%`);

// Monthly savings plan
let balance = 0;
const monthly = 250;
for (let m = 1; m <= years * 12; m++) {
  balance = balance * (1 + rate / 12) + monthly;
  if (m % 24 === 0) console.log(`Year ${String(m / 12).padStart(2)}: ${usd(balance)}`);
}
const paid = monthly * years * 12;
console.log(`Paid in ${usd(paid)}, gained ${usd(balance - paid)}`);

// Rule of 72 against the exact doubling time
const rates = [2, 5, 8, 12];
rates.map(r => ({ rate: r, ruleOf72: 72 / r, exact: Number((Math.log(2) / Math.log(1 + r / 100)).toFixed(2)) }));

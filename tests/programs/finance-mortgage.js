// Loan amortisation: payment, schedule, effect of extra payments
const loan = { amount: 250_000, annualRate: 4.25, years: 30 };
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

function payment({ amount, annualRate, years }) {
  const r = annualRate / 100 / 12;
  const n = years * 12;
  return (amount * r * (1 + r) ** n) / ((1 + r) ** n - 1);
}

function* schedule(loan, extra = 0) {
  const r = loan.annualRate / 1200;
  const regular = payment(loan);
  let balance = loan.amount;
  for (let month = 1; balance > 0.005; month++) {
    const interest = balance * r;
    const principal = Math.min(balance, regular - interest + extra);
    balance -= principal;
    yield { month, interest, principal, balance };
  }
}

const monthly = payment(loan);
console.log(`Monthly payment: ${money.format(monthly)}`);
console.log('Month |    Interest |   Principal |       Balance');
console.log('------+-------------+-------------+--------------');
let totalInterest = 0, months = 0;
for (const row of schedule(loan)) {
  totalInterest += row.interest;
  months = row.month;
  if (row.month <= 3 || row.month % 120 === 0) {
    const cells = [row.interest, row.principal, Math.abs(row.balance)].map(x => money.format(x));
    console.log(`${String(row.month).padStart(5)} | ${cells[0].padStart(11)} | ${cells[1].padStart(11)} | ${cells[2].padStart(13)}`);
  }
}
console.log(`Total interest over ${months} months: ${money.format(totalInterest)}`);

let quick = 0, quickInterest = 0;
for (const row of schedule(loan, 200)) { quick = row.month; quickInterest += row.interest; }
console.log(`With $200 extra: ${Math.floor(quick / 12)} years ${quick % 12} months, saving ${money.format(totalInterest - quickInterest)}`);
({ monthly: +monthly.toFixed(2), ratio: +(totalInterest / loan.amount).toFixed(3) });

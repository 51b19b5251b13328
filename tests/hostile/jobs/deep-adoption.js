// ends: value or recursion
// attacks: 50,000 promises, each resolved with the one before: adoption passes through all
// timeout: 10000
// value: 1
let p = Promise.resolve(1);
for (let i = 0; i < 50000; i++) {
  const inner = p;
  p = new Promise((resolve) => resolve(inner));
}
p;

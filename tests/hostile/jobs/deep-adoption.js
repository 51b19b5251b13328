// ends: value or recursion
// attacks: 20,000 promises, each resolved with the one before: adoption passes through all
// value: 1
let p = Promise.resolve(1);
for (let i = 0; i < 20000; i++) {
  const inner = p;
  p = new Promise((resolve) => resolve(inner));
}
p;

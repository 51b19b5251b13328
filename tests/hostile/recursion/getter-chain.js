// ends: recursion
// attacks: 50,000 objects, each with a getter that reads the next: deep, and not endless
let last = { get value() { return 1; } };
for (let i = 0; i < 50000; i++) {
  const next = last;
  last = { get value() { return next.value + 1; } };
}
last.value;

// ends: memory
// attacks: generators suspended in the middle, each with a stack of its own, kept
function* g() { let a = 1, b = 2, c = 3; yield a + b + c; }
const kept = [];
for (;;) {
  const one = g();
  one.next();
  kept.push(one);
}

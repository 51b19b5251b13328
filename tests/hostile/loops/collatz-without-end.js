// ends: time
// attacks: a while loop over BigInts that looks as if it would end (it enters a cycle at -5)
let n = -5n;
let steps = 0;
while (n !== 1n) {
  n = n % 2n === 0n ? n / 2n : 3n * n + 1n;
  steps++;
}

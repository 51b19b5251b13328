// ends: time
// attacks: each round is one native call of some hundred milliseconds
const data = new Float64Array(1000000);
for (;;) {
  for (let i = 0; i < 1000; i++) data[i * 1000] = (i * 7919) % 1009;
  data.sort().reverse();
}

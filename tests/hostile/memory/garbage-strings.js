// ends: time
// attacks: strings of a kilobyte, dropped at each round, built by adding
for (let i = 0; ; i++) {
  let s = "";
  for (let k = 0; k < 100; k++) s += "piece " + k;
  if (s.length === 0) break;
}

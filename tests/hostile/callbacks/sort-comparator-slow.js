// ends: time
// attacks: each comparison ends soon; a million comparisons do not
const items = Array.from({ length: 60000 }, (_, i) => (i * 7919) % 60013);
items.sort((a, b) => {
  let x = 0;
  for (let i = 0; i < 100000; i++) x += i;
  return a - b + (x & 0);
});

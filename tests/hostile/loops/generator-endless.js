// ends: time
// attacks: for-of over a generator that never ends
function* naturals() {
  let n = 0;
  for (;;) yield n++;
}
let sum = 0;
for (const n of naturals()) sum = (sum + n) % 1000003;

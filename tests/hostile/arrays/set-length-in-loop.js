// ends: time
// attacks: each `length` assignment makes and drops room for many elements
const a = [];
for (;;) {
  a.length = 100000;
  a.fill(0, 0, 1000);
  a.length = 0;
}

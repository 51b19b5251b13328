// ends: recursion or value or time
// attacks: for-in collects keys along 20,000 prototypes, each with one key of its own
// timeout: 5000
// value: 20000
let o = null;
for (let i = 0; i < 20000; i++) {
  o = Object.create(o);
  o["k" + i] = i;
}
let count = 0;
for (const key in o) count++;
count;

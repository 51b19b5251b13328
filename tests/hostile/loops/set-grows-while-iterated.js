// ends: time or memory
// attacks: a Set to which each round adds a new member
const set = new Set([0]);
for (const n of set) {
  set.delete(n);
  set.add(n + 1);
}

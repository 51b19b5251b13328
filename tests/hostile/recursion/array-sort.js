// ends: recursion
// attacks: a comparator that sorts
const f = () => [2, 1].sort(f).length;
f();

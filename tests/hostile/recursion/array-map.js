// ends: recursion
// attacks: each level goes through a native built-in that calls back
const f = () => [1].map(f);
f();

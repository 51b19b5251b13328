// ends: recursion
// attacks: destructuring of an object whose getter destructures
const o = { get a() { const { a } = o; return a; } };
const { a } = o;

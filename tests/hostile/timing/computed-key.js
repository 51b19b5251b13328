// ends: time
// attacks: a computed key whose toString loops
const key = { toString() { for (;;); } };
const o = { [key]: 1 };

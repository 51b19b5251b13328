// ends: time
// attacks: valueOf of each argument of Math.max
const slow = { valueOf() { for (;;); } };
Math.max(1, slow, 2);

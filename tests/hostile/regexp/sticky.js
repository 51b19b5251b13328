// ends: value
// attacks: a sticky exponential pattern
// value: false
const sticky = /(?:x+x+)+y/y;
sticky.lastIndex = 0;
sticky.test("x".repeat(4000));

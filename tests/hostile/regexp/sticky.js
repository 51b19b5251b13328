// ends: time
// attacks: a sticky exponential pattern
const sticky = /(?:x+x+)+y/y;
sticky.lastIndex = 0;
sticky.test("x".repeat(4000));

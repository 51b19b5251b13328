// ends: time or memory
// attacks: unshift moves all that is there: quadratic in native code
const a = [];
for (let i = 0; ; i++) a.unshift(i);

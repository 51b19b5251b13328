// ends: value or recursion
// attacks: 1+1+1… 100,000 terms: left-deep, and folding constants walks it
// value: 100000
eval(new Array(100000).fill("1").join("+"));

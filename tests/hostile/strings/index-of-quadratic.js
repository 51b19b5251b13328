// ends: value or time
// attacks: naive search for aaa…b in aaa…a: 2.5e11 comparisons for a quadratic one
// value: -1
"a".repeat(1000000).indexOf("a".repeat(500000) + "b");

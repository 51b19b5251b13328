// ends: time or value
// attacks: matchAll with a pattern that fails slowly at each start
// value: 0
[..."a".repeat(10000).matchAll(/a*a*b/g)].length;

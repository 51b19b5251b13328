// ends: time or value
// attacks: split tries its pattern at each position: quadratic at best for a careless matcher
// value: 1
"a".repeat(30000).split(/(?:a+)+b/).length;

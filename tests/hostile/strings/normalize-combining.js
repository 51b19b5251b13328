// ends: value or time
// attacks: a million combining marks after one letter: sorting them is quadratic for a careless one
// value: 1000001
("a" + "\u0301\u0316".repeat(500000)).normalize("NFD").length;

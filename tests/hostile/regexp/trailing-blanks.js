// ends: time or value
// attacks: trimming by /\s+$/ over 100,000 blanks that are not at the end: the classical quadratic
// value: 100001
(" ".repeat(100000) + "x").replace(/\s+$/, "").length;

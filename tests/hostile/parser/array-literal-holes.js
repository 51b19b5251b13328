// ends: value or memory
// attacks: an array literal of 900,000 holes
// value: 900000
eval("[" + ",".repeat(900000) + "]").length;

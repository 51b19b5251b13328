// ends: value or memory
// attacks: an identifier of 100,000 escaped letters
// value: 3
const name = "\\u{61}".repeat(100000);
eval("var " + name + "=3;" + name);

// ends: value
// attacks: a string literal of a megabyte made of escapes
// value: 170000
eval('"' + "\\u0041".repeat(170000) + '"').length;

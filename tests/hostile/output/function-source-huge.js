// ends: value or output
// attacks: a function whose source is 500 KB, as the last value
new Function("/*" + "f".repeat(500000) + "*/");

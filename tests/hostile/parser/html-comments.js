// ends: value
// attacks: annex-B comments, one on each line
// value: 7
eval("<!-- x\n--> y\n".repeat(60000) + "7");

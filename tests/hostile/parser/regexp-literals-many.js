// ends: value or memory or time
// attacks: 20,000 different regular-expression literals in one program, each checked while parsing
// timeout: 5000
// value: 20000
let code = "";
for (let i = 0; i < 20000; i++) code += "/(a" + i + "|b)+c/g,";
eval("[" + code + "]").length;

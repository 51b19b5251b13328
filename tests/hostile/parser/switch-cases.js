// ends: value or memory or error SyntaxError or error RangeError
// attacks: a switch of 40,000 cases
// value: "found"
let code = "switch (39999) {";
for (let i = 0; i < 40000; i++) code += "case " + i + ":" + (i === 39999 ? "'found';" : "");
eval(code + "}");

// ends: value or memory or error SyntaxError or error RangeError or time
// attacks: 60,000 bindings in one scope: tables, registers, and the check for duplicates
// timeout: 5000
// value: 59999
let code = "";
for (let i = 0; i < 60000; i++) code += "let v" + i + "=" + i + ";";
eval(code + "v59999");

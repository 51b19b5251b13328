// ends: recursion or value or error SyntaxError or time
// attacks: 20,000 labels before one statement; each is compared with all before it
// timeout: 5000
// value: 1
let code = "";
for (let i = 0; i < 20000; i++) code += "l" + i + ":";
eval(code + "1");

// ends: value or memory or time
// attacks: an object literal with 60,000 different keys, a shape each
// timeout: 5000
// value: 60000
let code = "";
for (let i = 0; i < 60000; i++) code += "k" + i + ":1,";
Object.keys(eval("({" + code + "})")).length;

// ends: value or recursion
// attacks: 20,000 times else-if: each is a statement inside the one before
// value: "end"
let code = "if (0) 'no';";
for (let i = 0; i < 20000; i++) code += "else if (0) 'no';";
eval(code + "else 'end'");

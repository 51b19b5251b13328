// ends: recursion
// attacks: the parser, the compiler and a script frame at each level
// timeout: 5000
const code = "eval(code)";
eval(code);

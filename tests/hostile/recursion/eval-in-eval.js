// ends: recursion
// attacks: the parser, the compiler and a script frame at each level
const code = "eval(code)";
eval(code);

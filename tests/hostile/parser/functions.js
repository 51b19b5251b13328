// ends: recursion
// attacks: a function in a function, 20,000 deep: a scope and a compilation each
eval("function f(){".repeat(20000) + "}".repeat(20000));

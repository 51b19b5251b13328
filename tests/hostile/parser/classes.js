// ends: recursion
// attacks: a class in the static block of a class, 10,000 deep
eval("class A{static{".repeat(10000) + "}}".repeat(10000));

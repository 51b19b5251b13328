// ends: recursion
// attacks: a template in a template in a template, 30,000 deep
eval("`${".repeat(30000) + "1" + "}`".repeat(30000));

// ends: recursion
// attacks: 100,000 nested parentheses
eval("(".repeat(100000) + "1" + ")".repeat(100000));

// ends: recursion
// attacks: 100,000 nested array literals
eval("[".repeat(100000) + "]".repeat(100000));

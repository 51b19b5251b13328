// ends: recursion
// attacks: 100,000 nested blocks, each a scope
eval("{".repeat(100000) + "}".repeat(100000));

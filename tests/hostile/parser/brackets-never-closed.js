// ends: recursion or error SyntaxError
// attacks: 400,000 opening brackets and no closing one
eval("[".repeat(400000));

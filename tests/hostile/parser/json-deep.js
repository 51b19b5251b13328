// ends: recursion or value or error SyntaxError
// attacks: JSON.parse of 400,000 nested arrays
// value: 1
JSON.parse("[".repeat(400000) + "]".repeat(400000)).length;

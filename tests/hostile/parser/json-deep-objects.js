// ends: recursion or value or error SyntaxError
// attacks: JSON.parse of 100,000 nested objects, then one look inside
// value: ["a"]
Object.keys(JSON.parse('{"a":'.repeat(100000) + "1" + "}".repeat(100000)));

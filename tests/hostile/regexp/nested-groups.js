// ends: recursion or value or error SyntaxError or error RangeError
// attacks: 100,000 nested groups: the recursion of the pattern's parser
// value: true
new RegExp("(?:".repeat(100000) + "a" + ")".repeat(100000)).test("a");

// ends: value or error SyntaxError or error RangeError
// attacks: a count beyond 2 ** 64
// value: true
/^a{0,99999999999999999999999999}$/.test("aaa");

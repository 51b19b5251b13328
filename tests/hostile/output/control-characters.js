// ends: value
// attacks: escape sequences, nulls and line breaks in a printed line, which could forge other output
// value: "a\u0000b\u001b[2Jc\r\nd"
console.log("\u001b[2J\u0000\r\n{\"limit\":null}");
"a\u0000b\u001b[2Jc\r\nd";

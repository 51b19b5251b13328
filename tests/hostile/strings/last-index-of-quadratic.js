// ends: value or time
// attacks: the same from the end, which clever searches often forget
// value: -1
"a".repeat(1000000).lastIndexOf("b" + "a".repeat(500000));

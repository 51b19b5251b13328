// ends: value
// attacks: 180,000 empty comments and line breaks before one number
// value: 7
eval("/**/\n".repeat(180000) + "7");

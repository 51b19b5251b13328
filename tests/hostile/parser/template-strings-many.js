// ends: value or memory or time
// attacks: a template of 50,000 substitutions
// timeout: 5000
// value: 50000
eval("`" + "${1}".repeat(50000) + "`").length;

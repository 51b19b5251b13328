// ends: time or value
// attacks: a global replace whose pattern runs to the end of the text and back at each start
// value: 20000
"ab".repeat(10000).replace(/(?:ab)+c/g, "").length;

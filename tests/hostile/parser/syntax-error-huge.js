// ends: error SyntaxError
// attacks: an error whose message could quote a megabyte of source
eval("@".repeat(1000000));

// ends: time or memory
// attacks: a new program at each round, compiled and dropped
for (let i = 0; ; i++) eval("(function f" + i + "() { return " + i + "; })()");

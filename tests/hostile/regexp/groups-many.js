// ends: value or memory or error SyntaxError or error RangeError or time
// attacks: 20,000 capturing groups in a repetition: captures are reset at each round
// value: 20001
new RegExp("(?:" + "(a)?".repeat(20000) + ")+").exec("a").length;

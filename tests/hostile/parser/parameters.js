// ends: value or error SyntaxError or error RangeError or time
// attacks: a function of 65,600 parameters
// timeout: 5000
// value: 65600
new Function(Array.from({ length: 65600 }, (_, i) => "p" + i).join(","), "return 1").length;

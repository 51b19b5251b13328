// ends: memory or time or error RangeError
// attacks: a log that grows by a line at each round: quadratic where each `+=` copies
// timeout: 10000
let log = "";
for (let i = 0; ; i++) log += "line " + i + " of a log that nobody reads\n";

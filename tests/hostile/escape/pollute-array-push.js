// ends: value
// attacks: a runner that collects lines with the program's own Array.prototype.push
// value: [1,2]
Array.prototype.push = Array.prototype.join = Array.prototype.map = () => { throw new Error("host code ran me"); };
console.log("a", [1], { b: [2] });
[1, 2];

// ends: output or value
// attacks: the same, printed: an inspector that goes without a budget never comes back
let d = ["x".repeat(1000)];
for (let i = 0; i < 4; i++) d = new Array(50).fill(d);
console.log(d);

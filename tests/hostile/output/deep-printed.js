// ends: value
// attacks: an array nested 100,000 deep, handed to console.log
// value: "printed"
let a = [];
for (let i = 0; i < 100000; i++) a = [a];
console.log(a);
"printed";

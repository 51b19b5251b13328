// ends: output
// attacks: one call with 100,000 arguments
console.log(...new Array(100000).fill("argument"));

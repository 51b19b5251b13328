// ends: output
// attacks: a single line of four megabytes
console.log("x".repeat(4000000));

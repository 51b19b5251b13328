// ends: value
// attacks: an array of four billion holes and two elements: printing must not visit the holes
// value: "printed"
const a = [1];
a[2 ** 32 - 2] = 2;
console.log(a);
"printed";

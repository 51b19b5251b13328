// ends: recursion
// attacks: two functions that call each other
const isEven = (n) => isOdd(n + 1);
const isOdd = (n) => isEven(n + 1);
isEven(0);

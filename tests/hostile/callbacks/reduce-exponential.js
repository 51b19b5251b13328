// ends: time
// attacks: the naive Fibonacci function, carried by reduce at each level
const fib = (n) => n < 2 ? n : [n - 1, n - 2].reduce((sum, m) => sum + fib(m), 0);
fib(60);

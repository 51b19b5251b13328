// ends: error Error
// attacks: an uncaught error with 10,000 causes below it
let cause;
for (let i = 0; i < 10000; i++) cause = new Error("c" + i, { cause });
throw cause;

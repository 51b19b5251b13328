// ends: memory or time
// attacks: Promise.all over an endless iterable of values
// timeout: 10000
Promise.all((function* () { for (;;) yield 1; })());

// ends: memory or error RangeError or time
// attacks: a typed array of an endless iterable, which is collected first
// timeout: 3000
Uint8Array.from((function* () { for (;;) yield 1; })());

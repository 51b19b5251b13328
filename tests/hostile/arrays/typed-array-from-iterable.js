// ends: memory or error RangeError
// attacks: a typed array of an endless iterable, which is collected first
// timeout: 10000
Uint8Array.from((function* () { for (;;) yield 1; })());

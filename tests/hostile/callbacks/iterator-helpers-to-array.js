// ends: memory
// attacks: Iterator.prototype.toArray and flatMap over an endless generator
// timeout: 10000
function* ones() { for (;;) yield 1; }
ones().flatMap((x) => [x, x]).toArray();

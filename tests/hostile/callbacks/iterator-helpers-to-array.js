// ends: memory or time
// attacks: Iterator.prototype.toArray and flatMap over an endless generator
// timeout: 3000
function* ones() { for (;;) yield 1; }
ones().flatMap((x) => [x, x]).toArray();

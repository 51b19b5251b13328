// ends: time
// attacks: `with` reads Symbol.unscopables, a getter that loops
with ({ a: 1, get [Symbol.unscopables]() { for (;;); } }) a;

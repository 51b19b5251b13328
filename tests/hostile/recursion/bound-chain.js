// ends: recursion or value or memory
// attacks: a function bound 100,000 times: one call unwinds the whole chain in native code
// value: 42
let f = () => 42;
for (let i = 0; i < 100000; i++) f = f.bind(null);
f();

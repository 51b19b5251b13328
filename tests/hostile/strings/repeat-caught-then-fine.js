// ends: value
// attacks: a refused string must be an ordinary error: the program catches it and goes on
// value: ["RangeError",6]
let name;
try { "abc".repeat(1e9); } catch (error) { name = error.name; }
[name, "abc".repeat(2).length];

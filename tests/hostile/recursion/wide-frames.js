// ends: recursion
// attacks: frames with 200 locals and 100 arguments each: the value stack fills before the depth
const names = Array.from({ length: 200 }, (_, i) => "v" + i);
const f = new Function(`let ${names.join(",")}; return arguments.callee(...new Array(100).fill(0))`);
f();

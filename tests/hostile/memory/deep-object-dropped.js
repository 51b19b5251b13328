// ends: value
// attacks: freeing an array nested 100,000 deep must not recur natively
// value: "freed"
let a = [];
for (let i = 0; i < 100000; i++) a = [a];
a = null;
for (let i = 0; i < 20000; i++) ({ garbage: [i] });
"freed";

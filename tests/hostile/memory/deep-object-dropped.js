// ends: value
// attacks: freeing an array nested 100,000 deep must not recur natively
// timeout: 5000
// value: "freed"
let a = [];
for (let i = 0; i < 100000; i++) a = [a];
a = null;
for (let i = 0; i < 20000; i++) ({ garbage: [i] });
"freed";

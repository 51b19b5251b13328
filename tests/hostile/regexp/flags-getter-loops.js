// ends: time
// attacks: matchAll reads `flags`, a getter of the program's
const pattern = /a/g;
Object.defineProperty(pattern, "flags", { get() { for (;;); } });
"a".matchAll(pattern);

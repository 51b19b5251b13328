// ends: time
// attacks: replace with a `g` pattern whose exec is the program's own and never says null
const pattern = /a/g;
pattern.exec = () => ({ index: 0, length: 1, 0: "" });
"a".replace(pattern, "b");

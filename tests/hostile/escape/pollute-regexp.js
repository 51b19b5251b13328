// ends: value
// attacks: a RegExp is printed by its source and flags, which the program has replaced
// value: "printed"
for (const name of ["source", "flags"]) {
  Object.defineProperty(RegExp.prototype, name, { get() { for (;;); } });
}
RegExp.prototype.exec = RegExp.prototype.toString = () => { for (;;); };
console.log(/a/g, { r: /b/ });
"printed";

// ends: value
// attacks: toString and valueOf of numbers, strings, booleans and symbols
// value: [1.5,"s",true]
for (const { prototype } of [Number, String, Boolean, Symbol, BigInt, Object, Array, Function]) {
  prototype.toString = prototype.valueOf = () => { for (;;); };
}
console.log(1.5, "s", true, Symbol("y"), 10n, "%s", {});
[1.5, "s", true];

// ends: value
// attacks: a Date is printed by its own methods, which the program has replaced
// value: "printed"
Date.prototype.toISOString = Date.prototype.toString = Date.prototype.toJSON = Date.prototype.getTime = () => { for (;;); };
console.log(new Date(0), [new Date(NaN)]);
"printed";

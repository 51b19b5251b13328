// ends: value
// attacks: call, apply and bind replaced
// value: "same"
Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => { for (;;); };
console.log("%s %d", "a", 1);
"same";

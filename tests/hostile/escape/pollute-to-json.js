// ends: value
// attacks: toJSON on all prototypes: the result must show what the value is
// value: {"a":[1,"s"]}
Object.prototype.toJSON = Array.prototype.toJSON = String.prototype.toJSON = () => "forged";
({ a: [1, "s"] });

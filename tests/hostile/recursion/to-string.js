// ends: recursion or value
// attacks: toString by a template of the object itself
const o = { toString() { return `${this}`; } };
String(o);

// ends: value or memory or time
// attacks: a class with 20,000 private fields, each checked against the others
// timeout: 5000
// value: 1
let code = "";
for (let i = 0; i < 20000; i++) code += "#p" + i + "=1;";
eval("new (class {" + code + "get() { return this.#p19999; } })().get()");

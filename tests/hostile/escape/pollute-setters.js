// ends: value
// attacks: setters on Object.prototype for the names that a runner would give its own results
// value: {"value":1,"text":"t"}
const set = () => { throw new Error("host code ran me"); };
for (const name of ["value", "text", "level", "name", "message", "error", "limit", "console", "0", "length"]) {
  Object.defineProperty(Object.prototype, name, { __proto__: null, set, configurable: true });
}
console.log("line", { text: "t" });
({ value: 1, text: "t" });

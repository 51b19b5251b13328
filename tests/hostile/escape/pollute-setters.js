// ends: value
// attacks: setters on Object.prototype for the names that a runner would give its own results
// value: {"value":1,"text":"t"}
for (const name of ["value", "text", "level", "name", "message", "error", "limit", "console", "0", "length"]) {
  Object.defineProperty(Object.prototype, name, { set() { throw new Error("host code ran me"); }, configurable: true });
}
console.log("line");
({ value: 1, text: "t" });

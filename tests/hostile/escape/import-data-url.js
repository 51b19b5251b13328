// ends: value
// attacks: import() of a module that carries its own source
// value: "refused"
import("data:text/javascript,export default 1").then(() => "imported", () => "refused");

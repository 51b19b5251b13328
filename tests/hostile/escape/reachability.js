// ends: value
// attacks: all that can be reached from the global object, by properties, prototypes and accessors
// timeout: 5000
// value: []
const bad = new Set(["process", "require", "mainModule", "binding", "dlopen", "env", "argv", "readFile",
  "spawn", "open", "socket", "fetch", "host", "realm", "agent", "createRealm", "evalScript"]);
const seen = new Set();
const found = [];
const todo = [globalThis];
while (todo.length > 0) {
  const at = todo.pop();
  if (at === null || typeof at !== "object" && typeof at !== "function" || seen.has(at)) continue;
  seen.add(at);
  todo.push(Object.getPrototypeOf(at));
  for (const key of Reflect.ownKeys(at)) {
    const { value, get, set } = Object.getOwnPropertyDescriptor(at, key);
    // A URL has a host, and that is fine.
    if (bad.has(key) && !(typeof get === "function" && at.constructor?.name === "URL")) found.push(key);
    if (at !== seen && at !== bad) todo.push(value, get, set);
  }
}
found;

// ends: value
// attacks: all that can be reached from the global object, by properties, prototypes and accessors
// value: []
const bad = new Set(["process", "require", "mainModule", "binding", "dlopen", "env", "argv", "readFile",
  "spawn", "open", "socket", "fetch", "realm", "agent", "createRealm", "evalScript"]);
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
    if (bad.has(key)) found.push(key);
    todo.push(value, get, set);
  }
}
found;

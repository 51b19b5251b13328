// ends: value
// attacks: the names under which other hosts offer files, processes, threads and the network
// value: []
const names = [
  "require", "module", "exports", "process", "Buffer", "global", "__dirname", "__filename", "Deno",
  "Bun", "fetch", "XMLHttpRequest", "WebSocket", "EventSource", "Worker", "importScripts", "window",
  "document", "self", "navigator", "localStorage", "indexedDB", "WebAssembly", "setTimeout",
  "setInterval", "setImmediate", "load", "read", "print", "quit", "os", "std", "spin", "wasi", "$262",
];
names.filter((name) => typeof globalThis[name] !== "undefined");

// ends: value
// attacks: whatever one call leaves in globals, prototypes, registries; run it twice in a row
// value: ["undefined","undefined","undefined","undefined"]
const left = [
  typeof globalThis.left,
  typeof Object.prototype.left,
  typeof Array.prototype.map.left,
  typeof console.left,
];
globalThis.left = 1;
Object.defineProperty(Object.prototype, "left", { value: 1, configurable: true, writable: true });
Array.prototype.map.left = 1;
console.left = 1;
left;

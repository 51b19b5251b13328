// ends: value
// attacks: the iterators of Map and Set, replaced by ones that never end
// value: "printed"
const map = new Map([[1, 2]]);
const set = new Set([3]);
const endless = function () { return { next: () => ({ done: false, value: [1, 1] }) }; };
for (const { prototype } of [Map, Set]) {
  prototype[Symbol.iterator] = prototype.entries = prototype.values = prototype.forEach = endless;
}
console.log(map, set);
"printed";

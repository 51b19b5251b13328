// ends: time or memory
// attacks: for-of over a Map that moves the visited entry to its end, so that the end never comes
const map = new Map([["a", 0], ["b", 0]]);
for (const [key, value] of map) {
  map.delete(key);
  map.set(key, value + 1);
}

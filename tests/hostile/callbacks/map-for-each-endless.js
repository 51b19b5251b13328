// ends: time
// attacks: Map.prototype.forEach visits entries that its callback adds
const map = new Map([[0, 0]]);
map.forEach((value, key) => {
  map.delete(key);
  map.set(key + 1, value);
});

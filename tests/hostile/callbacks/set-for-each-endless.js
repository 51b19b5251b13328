// ends: time
// attacks: Set.prototype.forEach, with the same member deleted and added again
const set = new Set([1]);
set.forEach((member) => {
  set.delete(member);
  set.add(member);
});

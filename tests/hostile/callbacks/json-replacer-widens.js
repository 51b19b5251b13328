// ends: time or memory
// attacks: a replacer that turns each leaf into two: the tree is 40 levels deep and 2 ** 40 wide
JSON.stringify(40, function (key, value) {
  return typeof value === "number" && value > 0 ? [value - 1, value - 1] : value;
});

// ends: time or memory or recursion
// attacks: a reviver that hangs a fresh object under each key that is about to be visited
JSON.parse('{"a": 1, "b": 2}', function (key, value) {
  if (key === "a") this.b = { a: 1, b: 2 };
  return value;
});

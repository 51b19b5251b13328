// ends: value
// attacks: the text of native functions could show source of the host
// value: true
[console.log, Array.prototype.map, Date.now, JSON.parse, "".repeat]
  .every((f) => /^function .*\(\)\s*\{\s*\[native code\]\s*\}$/.test(f.toString()));

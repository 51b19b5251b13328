// ends: value
// attacks: without Array.prototype[Symbol.iterator] nothing can be spread
// value: {"ok":true}
delete Array.prototype[Symbol.iterator];
console.log("a", [1, [2]], new Set());
({ ok: true });

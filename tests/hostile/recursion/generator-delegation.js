// ends: recursion
// attacks: a generator that delegates to a new instance of itself
function* g() { yield* g(); }
g().next();

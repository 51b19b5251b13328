// ends: recursion or error RangeError
// attacks: async functions that call themselves before any await
async function f() { return await f(); }
f();

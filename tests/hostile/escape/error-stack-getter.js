// ends: error RangeError
// attacks: an own `stack` that is a getter which loops
const error = new RangeError("m");
Object.defineProperty(error, "stack", { get() { for (;;); } });
throw error;

// ends: error Error
// attacks: an own `message` that is a getter which loops
const error = new Error("m");
Object.defineProperty(error, "message", { get() { for (;;); } });
throw error;

// ends: error Error
// attacks: Error.prototype.name as a getter that loops, asked for by whoever tells the error
Object.defineProperty(Error.prototype, "name", { get() { for (;;); } });
throw new Error("m");

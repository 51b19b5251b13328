// ends: time or memory or error RangeError
// attacks: String.raw over an array-like that claims 2 ** 53 - 1 pieces
String.raw({ raw: { length: 2 ** 53 - 1, 0: "a" } });

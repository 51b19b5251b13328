// ends: time or value or error RangeError or error SyntaxError
// attacks: BigInt of three million digits, quadratic in native code
// value: true
BigInt("7".repeat(3000000)) > 1n;

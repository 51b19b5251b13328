// ends: error RangeError
// attacks: padding to 2 ** 53 - 1
"x".padStart(Number.MAX_SAFE_INTEGER, "ab");

// ends: error TypeError
// attacks: toString of the error, and of its message, which is an object
const error = new TypeError("m");
error.toString = () => { for (;;); };
error.message = { toString() { for (;;); } };
throw error;

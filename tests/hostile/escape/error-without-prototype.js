// ends: error Error
// attacks: an error that has lost its prototype, and with it its name
const error = new TypeError("m");
Object.setPrototypeOf(error, null);
throw error;

// ends: output or error Error
// attacks: an error whose name has four megabytes
const error = new Error("m");
error.name = "N".repeat(4000000);
throw error;

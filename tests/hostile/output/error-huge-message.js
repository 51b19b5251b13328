// ends: error Error
// attacks: an uncaught error with a message of four megabytes: it is cut, and the error is told
throw new Error("m".repeat(4000000));

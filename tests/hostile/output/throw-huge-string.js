// ends: error Uncaught
// attacks: a string of four megabytes is thrown
throw "t".repeat(4000000);

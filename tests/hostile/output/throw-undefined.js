// ends: error Uncaught
// attacks: there is nothing to tell of what was thrown
throw undefined;

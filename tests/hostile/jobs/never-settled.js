// ends: error Error
// attacks: a top-level await for what never comes: with no jobs left the program is over
await new Promise(() => {});

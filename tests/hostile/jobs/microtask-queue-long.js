// ends: memory
// attacks: a queue that is filled in the main program and never run
for (;;) Promise.resolve().then(() => 1);

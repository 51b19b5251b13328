// ends: memory
// attacks: a queue that is filled in the main program and never run
// timeout: 10000
for (;;) Promise.resolve().then(() => 1);

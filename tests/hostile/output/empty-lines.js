// ends: output
// attacks: lines without any text are not free
// timeout: 10000
for (;;) console.log();

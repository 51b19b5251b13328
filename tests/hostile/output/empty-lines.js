// ends: output
// attacks: lines without any text are not free
for (;;) console.log();

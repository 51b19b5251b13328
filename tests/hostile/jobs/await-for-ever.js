// ends: time
// attacks: awaiting a value that is there, without end, at the top level
for (;;) await null;

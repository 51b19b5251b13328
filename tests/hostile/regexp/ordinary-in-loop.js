// ends: time
// attacks: short matches without end, each of them below any step limit of its own
for (;;) /(\d+)-(\d+)/.exec("tel 555-1234");

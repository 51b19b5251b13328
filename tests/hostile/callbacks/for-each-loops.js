// ends: time
// attacks: forEach calls back once and never gets its answer
[1].forEach(() => { while (true); });

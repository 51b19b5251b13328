// ends: time
// attacks: sort's comparator is a loop of the engine's that nothing counts
[2, 1].sort(() => { for (;;); });

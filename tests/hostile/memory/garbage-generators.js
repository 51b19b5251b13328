// ends: time
// attacks: generators left suspended in the middle, then dropped
function* g() { const held = [1, 2, 3]; yield held; yield held; }
for (;;) g().next();

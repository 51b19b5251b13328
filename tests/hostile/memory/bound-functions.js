// ends: memory
// attacks: bind of what was bound, with one more argument at each round
let f = () => 1;
for (;;) f = f.bind(null, 1);

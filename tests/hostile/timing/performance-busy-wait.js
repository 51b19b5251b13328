// ends: time
// attacks: waiting by the other clock
const until = performance.now() + 3600000;
while (performance.now() < until);

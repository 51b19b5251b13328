// ends: time
// attacks: waiting by the clock, as programs without timers do
const until = Date.now() + 3600000;
while (Date.now() < until);

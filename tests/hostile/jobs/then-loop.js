// ends: time
// attacks: a reaction that queues itself again
const again = () => { Promise.resolve().then(again); };
again();

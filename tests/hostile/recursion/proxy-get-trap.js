// ends: recursion
// attacks: a get trap that reads from its own receiver
const p = new Proxy({}, { get(_, key, receiver) { return receiver[key]; } });
p.x;

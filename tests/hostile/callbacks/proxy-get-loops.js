// ends: time
// attacks: a get trap that does not come back
new Proxy({}, { get() { for (;;); } }).x;

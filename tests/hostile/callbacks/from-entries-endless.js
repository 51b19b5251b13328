// ends: time
// attacks: Object.fromEntries over an endless iterator that always gives the same key
Object.fromEntries((function* () { for (;;) yield ["k", 1]; })());

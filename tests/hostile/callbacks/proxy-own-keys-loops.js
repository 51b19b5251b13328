// ends: time
// attacks: Object.keys on a proxy whose ownKeys trap loops in a catch-all
Object.keys(new Proxy({}, { ownKeys() { for (;;) try { while (true); } catch {} } }));

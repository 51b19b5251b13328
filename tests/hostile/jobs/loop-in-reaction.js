// ends: time
// attacks: an endless loop inside a reaction, where no top-level budget counts
Promise.resolve().then(() => { for (;;); });

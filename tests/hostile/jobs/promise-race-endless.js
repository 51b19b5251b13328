// ends: memory or time
// attacks: Promise.race is settled by its first promise and takes the others all the same
// timeout: 10000
const settled = Promise.resolve(1);
Promise.race((function* () { for (;;) yield settled; })());

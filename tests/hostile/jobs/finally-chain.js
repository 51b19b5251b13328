// ends: time or memory
// attacks: a finally that returns the chain of which it is a part
const loop = () => Promise.reject(1).finally(() => loop());
loop();

// ends: time
// attacks: a thenable that resolves with another thenable, without end
const thenable = () => ({ then(resolve) { resolve(thenable()); } });
Promise.resolve(thenable());

// ends: value
// attacks: the last value is a promise that nobody settles
new Promise(() => {});

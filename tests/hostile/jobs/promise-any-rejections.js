// ends: memory or time
// attacks: Promise.any collects the errors of endless rejections
// timeout: 10000
Promise.any((function* () { for (;;) yield Promise.reject(new Error("no")); })());

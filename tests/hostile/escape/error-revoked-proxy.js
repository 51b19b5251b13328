// ends: error Uncaught
// attacks: a revoked proxy is thrown: each look at it throws a TypeError
const { proxy, revoke } = Proxy.revocable({}, {});
revoke();
throw proxy;

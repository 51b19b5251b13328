// ends: value
// attacks: a revoked proxy is printed and is the last value
const { proxy, revoke } = Proxy.revocable([], {});
revoke();
console.log(proxy, [proxy]);
proxy;

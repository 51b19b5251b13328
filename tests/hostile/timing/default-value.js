// ends: time
// attacks: default values in a pattern, run while parameters are bound
const loop = () => { for (;;); };
(function ({ a = loop() } = {}, [b] = []) {})();

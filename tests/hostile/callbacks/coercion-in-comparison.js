// ends: time
// attacks: valueOf of a key, called by the native `<` inside sort without a comparator
const slow = () => ({ toString() { for (let i = 0; i < 1e6; i++); return "a"; } });
Array.from({ length: 1000 }, slow).sort();

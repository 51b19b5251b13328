// ends: recursion
// attacks: a replacer function that replaces
const f = () => "a".replace(/a/, f);
f();

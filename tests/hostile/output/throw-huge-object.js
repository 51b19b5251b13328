// ends: error Uncaught
// attacks: an object is thrown whose text would have 2 ** 60 elements
let d = ["x"];
for (let i = 0; i < 60; i++) d = [d, d];
throw d;

// ends: time or memory
// attacks: each round is one native call that maps a megabyte
const text = "stra\u00dfe".repeat(150000);
let length = 0;
for (;;) length += text.toUpperCase().length;

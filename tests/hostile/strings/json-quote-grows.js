// ends: memory or error RangeError
// attacks: stringifying a string of quotes doubles it each time
let s = '"'.repeat(1000);
for (;;) s = JSON.stringify(s);

// ends: memory or error RangeError
// attacks: stringifying a string of quotes doubles it each time
// timeout: 10000
let s = '"'.repeat(1000);
for (;;) s = JSON.stringify(s);

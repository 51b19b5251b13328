// ends: time
// attacks: a loop on a float that steps over its end (a common mistake)
let x = 0;
while (x !== 1) x += 0.1;

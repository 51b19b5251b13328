// ends: time
// attacks: 2**53 + 1 is 2**53: the counter stands still short of its end
let n = 2 ** 53;
while (n < 2 ** 53 + 2) n += 1;

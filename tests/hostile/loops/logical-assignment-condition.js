// ends: time
// attacks: all of the work is in the loop's condition; there is no body at all
let a = 0;
let b = 0;
while ((a ||= 1) && (b ??= 1, a = 0, true));

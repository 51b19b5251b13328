// ends: memory or error RangeError
// attacks: the same through a template, which must not have a check of its own missing
let s = "0123456789";
for (;;) s = `${s}${s}`;

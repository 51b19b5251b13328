// ends: time
// attacks: findLast visits holes as well: 4,294,967,295 short calls
const a = [];
a.length = 2 ** 32 - 1;
a.findLast((x) => x === 1);

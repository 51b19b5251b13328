// ends: time or value
// attacks: indexOf over 4,294,967,295 holes, none of which is worth a look
// value: -1
const a = [];
a.length = 2 ** 32 - 1;
a.indexOf(1);

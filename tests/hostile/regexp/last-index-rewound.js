// ends: time
// attacks: a global exec loop whose pattern matches the empty string and so never advances
const empty = /x*/g;
while (empty.exec("abc") !== null);

// ends: value
// attacks: strings that have no UTF-8 form, printed and returned
console.log("\ud800 and \udfff");
["\udc00", "a\ud83d"];

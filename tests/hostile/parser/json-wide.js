// ends: value or memory
// attacks: JSON.parse of an array of 900,000 numbers
// value: 900000
JSON.parse("[" + "1,".repeat(899999) + "1]").length;

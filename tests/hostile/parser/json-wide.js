// ends: value or memory
// attacks: JSON.parse of an array of 900,000 numbers
// timeout: 5000
// value: 900000
JSON.parse("[" + "1,".repeat(899999) + "1]").length;

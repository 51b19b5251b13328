// ends: value or memory or error SyntaxError or error RangeError or time
// attacks: a class of 30,000 separate ranges, case-insensitive
// timeout: 5000
// value: true
let ranges = "";
for (let c = 0x100; c < 0x100 + 60000; c += 2) {
  if (c < 0xd800 || c > 0xdfff) ranges += "\\u" + c.toString(16).padStart(4, "0");
}
new RegExp("[" + ranges + "]", "i").test("\u0100");

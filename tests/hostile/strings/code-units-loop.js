// ends: time
// attacks: at, codePointAt and charAt over a long string in an endless loop
const s = "a\u{1F600}".repeat(100000);
let sum = 0;
for (let i = 0; ; i = (i + 1) % s.length) sum += s.codePointAt(i) + s.at(-i - 1).length + s.charAt(i).length;

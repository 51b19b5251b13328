// ends: time
// attacks: formatting by locale, which may build a table at each call
let length = 0;
for (let i = 0; ; i++) length += i.toLocaleString("de-DE").length + new Date(i * 1e9).toLocaleDateString("en-US").length;

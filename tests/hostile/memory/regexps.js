// ends: memory or time
// attacks: compiled patterns, kept
// timeout: 10000
const kept = [];
for (let i = 0; ; i++) kept.push(new RegExp("(?:[a-z]{20}" + i + "){5}"));

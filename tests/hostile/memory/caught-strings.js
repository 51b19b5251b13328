// ends: memory or time
// attacks: the same with strings, whose refusal is an ordinary RangeError
// timeout: 10000
const kept = [];
for (let n = 0; ; n++) {
  try {
    kept.push("x".repeat(4000000) + n);
  } catch {}
}

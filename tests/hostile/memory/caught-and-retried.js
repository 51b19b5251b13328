// ends: memory or time
// attacks: whatever refuses memory is caught, and the program asks again, by smaller pieces
// timeout: 10000
const kept = [];
let size = 1 << 28;
for (;;) {
  try {
    kept.push(new Uint8Array(size).fill(1));
  } catch {
    size = Math.max(16, size >> 1);
  }
}

// ends: memory or time
// attacks: allocation in a finally block, entered when allocation has just failed
// timeout: 3000
const kept = [];
try {
  for (;;) kept.push(new Array(1000).fill(kept.length));
} finally {
  for (;;) kept.push(new Array(1000).fill(kept.length));
}

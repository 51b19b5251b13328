// ends: time
// attacks: return in finally throws away what was on its way, at each of 50 levels
function level(n) {
  try {
    if (n === 0) for (;;);
    level(n - 1);
  } finally {
    return n === 0 ? level(50) : 0;
  }
}
for (;;) level(50);

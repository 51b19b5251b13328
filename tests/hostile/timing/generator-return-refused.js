// ends: time
// attacks: a generator whose finally continues its loop cannot be closed by `return`
function* g() {
  for (;;) {
    try {
      yield 1;
    } finally {
      continue;
    }
  }
}
const it = g();
it.next();
while (!it.return().done);

// ends: time
// attacks: a generator that yields in finally cannot be closed by `return`
function* g() {
  try {
    yield 1;
  } finally {
    for (;;) yield 2;
  }
}
const it = g();
it.next();
while (!it.return().done);

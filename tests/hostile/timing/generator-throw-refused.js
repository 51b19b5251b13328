// ends: time
// attacks: a generator that catches whatever is thrown into it
function* g() {
  for (;;) try { yield; } catch {}
}
const it = g();
it.next();
for (;;) it.throw(new Error("stop"));

// ends: time
// attacks: cyclic garbage: it must be collected, and so never fill the heap
for (;;) {
  const a = { data: [1, 2, 3] };
  const b = { a };
  a.b = b;
}

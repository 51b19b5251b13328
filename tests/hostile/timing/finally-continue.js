// ends: time
// attacks: a labelled continue in finally throws away what was on its way
again: for (;;) {
  try {
    for (;;);
  } finally {
    continue again;
  }
}

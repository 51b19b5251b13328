// ends: time
// attacks: a labelled continue out of an inner loop that itself ends each time
outer: for (;;) {
  for (let i = 0; i < 10; i++) {
    if (i === 5) continue outer;
  }
}

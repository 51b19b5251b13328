// ends: time
// attacks: labelled blocks with breaks inside an endless loop, no plain path to its back edge
let state = 0;
machine: for (;;) {
  a: {
    b: {
      if (state % 3 === 0) break b;
      if (state % 3 === 1) break a;
      state++;
      continue machine;
    }
    state += 4;
    continue machine;
  }
  state += 7;
}

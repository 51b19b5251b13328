// ends: time
// attacks: try and finally inside a callback of sort, where nested loops run
[3, 2, 1].sort(() => {
  for (;;) {
    try {
      for (;;);
    } finally {
      continue;
    }
  }
});

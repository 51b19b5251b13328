// ends: time
// attacks: a try around an endless loop, after an await: what ends it must not be swallowed
(async () => {
  for (;;) {
    try {
      await null;
      for (;;);
    } catch {}
  }
})();

// ends: time
// attacks: finally after an await, where what ends the program could be taken for a rejection
(async () => {
  try {
    await null;
    for (;;);
  } finally {
    for (;;);
  }
})();

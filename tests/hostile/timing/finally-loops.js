// ends: time
// attacks: a finally block with an endless loop, entered when the try block is ended
try {
  for (;;);
} finally {
  for (;;);
}

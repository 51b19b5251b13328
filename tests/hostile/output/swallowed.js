// ends: output
// attacks: a program that catches its end and goes on printing
for (;;) {
  try {
    console.log("z".repeat(1000));
  } catch {
    console.log("still here");
  } finally {
    continue;
  }
}

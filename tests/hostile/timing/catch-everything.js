// ends: time
// attacks: what ends the program must not be catchable
for (;;) {
  try {
    for (;;);
  } catch {}
}

// ends: output
// attacks: one budget for all levels, not one for each
for (;;) {
  console.info("i");
  console.warn("w");
  console.error("e");
  console.debug("d");
}

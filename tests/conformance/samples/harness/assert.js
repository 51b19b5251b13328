// A stand-in for the suite's harness, of our own making: as little as the samples need.
function assert(condition, message) {
  if (condition !== true) throw new Test262Error(message || "not true");
}

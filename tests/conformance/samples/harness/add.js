// Included by one sample.
function add(a, b) {
  return a + b;
}

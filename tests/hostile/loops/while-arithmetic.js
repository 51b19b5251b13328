// ends: time
// attacks: an endless loop that computes, so that no two rounds are the same
let state = 1;
while (state !== 0) {
  state = (state * 1103515245 + 12345) % 2147483648 || 1;
}

// ends: time
// attacks: a limit on loop rounds per call frame: six frames of 1,000 rounds each make 1e18
function level(depth) {
  for (let i = 0; i < 1000; i++) if (depth > 0) level(depth - 1);
}
level(6);

// ends: time
// attacks: break inside switch leaves the switch, never the loop around it
let state = 0;
for (;;) {
  switch (state) {
    case 0: state = 1; break;
    case 1: state = 2; break;
    default: state = 0; break;
  }
}

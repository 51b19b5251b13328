// ends: time
// attacks: `continue` in do-while, which jumps to the condition and not to the loop's head
let i = 0;
do {
  i++;
  continue;
} while (i > 0);

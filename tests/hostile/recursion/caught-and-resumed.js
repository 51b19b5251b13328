// ends: recursion or time
// attacks: the program catches the end of the stack and goes down again from its catch block
function f() {
  try { f(); } catch { f(); }
}
f();

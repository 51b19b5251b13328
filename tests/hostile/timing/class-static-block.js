// ends: time
// attacks: code in a class body, run while the class is defined
class A {
  static { for (;;); }
}

// ends: time
// attacks: split makes its matcher through Symbol.species, and the matcher's exec loops
class Slow extends RegExp {
  exec() { for (;;); }
}
"a,b".split(new Slow(","));

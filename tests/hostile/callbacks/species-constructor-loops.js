// ends: time
// attacks: map asks Symbol.species for the array to fill, and the constructor loops
class Slow extends Array {
  static get [Symbol.species]() {
    return function () { for (;;); };
  }
}
new Slow(1, 2, 3).map((x) => x);

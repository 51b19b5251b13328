// ends: recursion
// attacks: slice makes its result by a constructor that slices
class Deep extends Array {
  constructor(...items) {
    super(...items);
    if (Deep.ready) this.slice();
  }
}
const start = new Deep(1, 2, 3);
Deep.ready = true;
start.slice();

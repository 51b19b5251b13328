// ends: recursion or value
// attacks: 10,000 classes, each derived from the one before: one `new` runs through all of them
// value: 10000
let Class = class { depth = 0; };
for (let i = 0; i < 10000; i++) {
  Class = class extends Class {
    constructor() { super(); this.depth++; }
  };
}
new Class().depth;

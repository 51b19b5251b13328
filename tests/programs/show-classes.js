// Instances, inheritance, private fields, statics, symbols, toString and toJSON
class Animal {
  #secret = 'hidden';
  static kingdom = 'Animalia';
  legs = 4;
  constructor(name) { this.name = name; }
  get loud() { return this.name.toUpperCase(); }
  speak() { return `${this.name} makes a sound`; }
}
class Dog extends Animal {
  tricks = new Set();
  constructor(name, owner = null) { super(name); this.owner = owner; }
  speak() { return super.speak().replace('a sound', 'Woof'); }
  toString() { return `Dog(${this.name})`; }
  toJSON() { return { kind: 'dog', name: this.name }; }
}
const rex = new Dog('Rex', { first: 'Kim' });
rex.tricks.add('sit').add('roll over');

console.log(rex);
console.log([new Animal('Cat'), new Animal('Cow')], { pet: new Animal('Hen') });
console.log(`${rex}`, String(rex), rex + '', JSON.stringify(rex), rex.loud, rex.speak());
console.log(Animal, Dog, class {}, Dog.kingdom, Object.getPrototypeOf(rex) === Dog.prototype);
console.log(rex instanceof Animal, rex.constructor.name, Object.getOwnPropertyNames(Dog.prototype));

class Temperature {
  constructor(c) { this.celsius = c; }
  [Symbol.toPrimitive](hint) { return hint === 'string' ? `${this.celsius}°C` : this.celsius; }
  get [Symbol.toStringTag]() { return 'Temp'; }
  static from({ f }) { return new this(((f - 32) * 5) / 9); }
}
const t = Temperature.from({ f: 212 });
console.log(t.celsius, `${t}`, t + 1, t > 50, Object.prototype.toString.call(t));

function Legacy(x) { this.x = x; }
Legacy.prototype.double = function () { return this.x * 2; };
console.log(new Legacy(21), new Legacy(21).double(), Legacy);

const Serializable = Base => class extends Base { serialize() { return JSON.stringify(this); } };
class Point { constructor(x, y) { Object.assign(this, { x, y }); } }
const SP = Serializable(Point);
console.log(new SP(1, 2).serialize(), new (class Vec3 extends Point { z = 3; })(1, 2));

class Stack {
  #items = [];
  push(...xs) { this.#items.push(...xs); return this; }
  get size() { return this.#items.length; }
  *[Symbol.iterator]() { yield* this.#items.toReversed(); }
  static { this.version = '1.0'; }
}
const s = new Stack().push(1, 2, 3);
console.log(s, [...s], s.size, Stack.version, Math.max(...s));
const singleton = new (class { value = 1; })();
console.log(singleton, Object.create(Dog.prototype), new (class Empty {})());
console.log(new (class Node { constructor(v, next) { this.v = v; this.next = next; } })(1, new Point(2, new Point(3, new Point(4, null)))));
rex;

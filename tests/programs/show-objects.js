// Plain objects: quoting of keys, line breaks near 72 columns, depth, null prototypes
console.log({ a: 1, 'b-c': 2, $d: 3, _e: 4, 'f g': 5, 6: 7, 'ünï': 8, 'class': 9, '1a': 10 });
console.log({ text: 'plain', quote: "it's", both: `"it's"`, tick: '`"\'', line: 'a\nb', uni: '\u00e9\u20ac', path: 'C:\\dir' });
console.log({ aaaaaaaaaaaaaaa: 1111111111, bbbbbbbbbbbbbbb: 2222222222, ccccccccc: 3333333 });
console.log({ aaaaaaaaaaaaaaa: 1111111111, bbbbbbbbbbbbbbb: 2222222222, cccccccccccc: 3333333 });
console.log({ aaaaaaaaaaaaaaa: 1111111111, bbbbbbbbbbbbbbb: 2222222222, cccccccccccccccccc: 3333333 });
console.log({ one: { two: { three: { four: 4 } } }, list: [{ x: [{ y: [1] }] }] });
console.log({ id: 7, name: 'Widget', price: 19.99, tags: ['new', 'sale'], size: { w: 10, h: 20 }, stock: null, note: undefined });

const bare = Object.create(null);
bare.key = 'value';
console.log(bare, Object.create(null), Object.create({ inherited: true }));

const accessors = {
  get full() { return 'never called'; },
  set only(v) {},
  get both() { return 1; },
  set both(v) {},
};
console.log(accessors);
console.log({ method() {}, arrow: () => {}, async later() {}, *gen() {}, klass: class Foo {}, anonymous: (() => function () {})(), builtin: Math.max });
console.log({ [Symbol('s')]: 1, [Symbol()]: 'no name' }, { [Symbol.iterator]: 5 });

const fn = Object.assign(function counter() {}, { count: 3, reset: false });
console.log(fn, [fn]);
const hidden = Object.defineProperty({ shown: 1 }, 'secret', { value: 2, enumerable: false });
console.log(hidden, Object.keys(hidden), hidden.secret);
console.log(Object.freeze({ frozen: true }), Object.entries({ x: 1, y: [2] }), { ...'hi', ...[9] });
console.log({ a: { b: 1, c: { d: 'a rather long text value', e: 'another rather long text value' } }, z: 0 });
console.log({ user: { profile: { address: { street: 'Main St', number: 5 } } }, when: new Date(Date.UTC(2024, 0, 2)), re: /x\/y/g });
console.log([{ first: 'Ada', last: 'Lovelace', born: 1815, fields: ['mathematics', 'computing'], alive: false, mother: { name: 'Anne Isabella' } }]);
console.log(new Proxy({ target: 1 }, {}), Object(Symbol.iterator).description);
({ value: NaN, date: new Date(Date.UTC(2020, 1, 29, 12)), nothing: undefined, fn() {}, big: 10n ** 20n });

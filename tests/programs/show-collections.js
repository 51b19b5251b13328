// How Map, Set, nested and mixed collections look
console.log(new Map(), new Set(), new Map([[1, 'one']]), new Set(['a', 2, null]));
console.log(new Map([['config', { debug: true, level: 3 }], ['list', [1, 2, 3]]]));
console.log(new Map([['users', new Map([['ann', { age: 31, tags: new Set(['x', 'y']) }]])]]));
console.log([new Map([['k', 1]]), new Set([[1, 2], [3]])]);
console.log({ map: new Map([['key', 'value']]), set: new Set([1, 2, 3]), inner: { deep: new Map([['a', new Set()]]) } });

const inventory = new Map([
  ['apples', { count: 12, price: 0.5, origin: 'Italy' }],
  ['bananas', { count: 150, price: 0.25, origin: 'Ecuador' }],
  ['cherries', { count: 3000, price: 0.05, origin: 'Turkey' }],
]);
console.log(inventory);
console.log(inventory.keys(), inventory.entries().next().value, new Set([1, 2]).values());
console.log(new Set(Array.from({ length: 8 }, (_, i) => `item number ${i}`)));
console.log(new Map(Object.entries({ a: 1, b: 2 })).entries());

const weak = new WeakMap();
weak.set({}, 1);
console.log(weak, new WeakSet());

class Matrix extends Array {}
class Registry extends Map {}
class Tags extends Set {}
console.log(Matrix.from([1, 2]), new Registry([['x', 1]]), new Tags(['t']));

const tagged = new Map([['a', 1]]);
tagged.label = 'with a property';
console.log(tagged);
console.log([[1, 2, [3, 4, [5, [6]]]], { a: { b: { c: { d: 'deep' } } } }]);
console.log({ level1: { level2: { level3: { level4: {} } }, empty: {}, none: [], arr: [[[[]]]] } });
new Map([[{ id: 1 }, new Set(['a', 'b'])], ['plain', null]]);

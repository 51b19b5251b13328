// Set operations, Map as a counter, WeakMap cache, unique values
const react = new Set(['Ann', 'Ben', 'Cho', 'Dee']);
const vue = new Set(['Cho', 'Dee', 'Eli']);

console.log('union       ', react.union(vue));
console.log('intersection', react.intersection(vue));
console.log('difference  ', react.difference(vue));
console.log('symmetric   ', react.symmetricDifference(vue));
console.log('relations   ', new Set(['Cho']).isSubsetOf(vue), react.isSupersetOf(vue), react.isDisjointFrom(new Set(['Zed'])));
console.log('by filter   ', [...react].filter(x => !vue.has(x)));

const jaccard = react.intersection(vue).size / react.union(vue).size;
console.log(`Jaccard index ${jaccard.toFixed(2)}`);

const visits = ['/', '/about', '/', '/docs', '/docs', '/'];
const counter = new Map();
for (const path of visits) counter.set(path, (counter.get(path) ?? 0) + 1);
console.log(counter);
console.log(Object.fromEntries(counter), [...counter.values()].reduce((a, b) => a + b));

const points = [[1, 2], [3, 4], [1, 2]];
console.log('Unique objects:', new Set(points).size, 'by value:', new Set(points.map(String)).size, [...new Map(points.map(p => [p.join(), p])).values()]);
console.log('NaN and zeros:', new Set([NaN, NaN, 0, -0]).size, [NaN].includes(NaN), [NaN].indexOf(NaN));

const cache = new WeakMap();
let computed = 0;
const area = shape => {
  if (!cache.has(shape)) { computed++; cache.set(shape, shape.w * shape.h); }
  return cache.get(shape);
};
const shape = { w: 3, h: 4 };
console.log(area(shape), area(shape), 'computed', computed, 'time');

const powerSet = ([head, ...tail]) => head === undefined ? [[]] : powerSet(tail).flatMap(s => [s, [head, ...s]]);
console.log('Power set:', powerSet(['a', 'b', 'c']).map(s => s.join('') || '∅').join(' '));
const cartesian = (...lists) => lists.reduce((acc, l) => acc.flatMap(a => l.map(x => [...a, x])), [[]]);
console.log('Product:', cartesian([1, 2], ['x', 'y'], [true]).length);
react.intersection(vue);

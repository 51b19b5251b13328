// structuredClone: what it keeps and what it refuses
const original = {
  date: new Date('2024-02-03T04:05:06Z'),
  map: new Map([['a', { deep: [1, 2, 3] }], [{ key: true }, 'object key']]),
  set: new Set([1, 'two', [3]]),
  pattern: /ab+c/gi,
  bytes: new Uint8Array([1, 2, 3]),
  big: 12345678901234567890n,
  nested: { list: [1, , 3], nothing: null, missing: undefined },
  error: new RangeError('out of range'),
};
original.self = original;
original.shared = original.nested;

const copy = structuredClone(original);
console.log(copy !== original, copy.self === copy, copy.shared === copy.nested, copy.nested !== original.nested);
console.log(copy.date instanceof Date, copy.date.getTime() === original.date.getTime());
console.log(copy.map, copy.set);
console.log(copy.pattern, copy.pattern.flags, copy.bytes, copy.big);
console.log(copy.nested, 1 in copy.nested.list, 'missing' in copy.nested);
console.log(copy.error instanceof RangeError, copy.error.name, copy.error.message);

original.map.get('a').deep.push(4);
console.log(copy.map.get('a').deep.length, [...copy.map.keys()][1] === [...original.map.keys()][1]);

class Point { constructor(x, y) { this.x = x; this.y = y; } norm() { return Math.hypot(this.x, this.y); } }
const p = structuredClone(new Point(3, 4));
console.log(p, p instanceof Point, p.norm === undefined, new Point(3, 4).norm());

for (const bad of [() => {}, { method() {} }, Symbol('s'), [1, Math.max]]) {
  try {
    structuredClone(bad);
    console.log('copied?');
  } catch (e) {
    console.log(e.name, e instanceof Error);
  }
}
console.log(structuredClone('text'), structuredClone(null), structuredClone([1n, NaN, -0, undefined]));
const withGetter = { get now() { return 'computed'; } };
console.log(structuredClone(withGetter), Object.getOwnPropertyDescriptor(structuredClone(withGetter), 'now').value);
const buffer = new ArrayBuffer(4);
const views = structuredClone({ a: new Uint8Array(buffer), b: new Uint16Array(buffer, 2) });
console.log(views.a.buffer === views.b.buffer, views.b.byteOffset, views.a.buffer.byteLength);
console.log(Object.isFrozen(structuredClone(Object.freeze({ a: 1 }))), structuredClone(Object.create({ inherited: 1 })), structuredClone(new Number(5)));
const viaJson = JSON.parse(JSON.stringify({ d: new Date(0), u: undefined, m: new Map([[1, 2]]) }));
viaJson;

// Dates, patterns, symbols, typed arrays, boxed values, errors as text, functions
console.log(new Date(0), [new Date(Date.UTC(2024, 1, 29, 12, 30, 15, 7))], { d: new Date(NaN) }, new Date(NaN));
console.log(/a+b/giu, [/x/], { re: new RegExp('a/b', 'y') }, new RegExp(''));
console.log(10n, [-5n], { big: 2n ** 70n }, Symbol('x'), Symbol(), Symbol.for('shared'), [Symbol.asyncIterator]);
console.log(new Uint8Array([1, 2, 3]), new Float64Array([0.5, -0, NaN]), new Int16Array(0), new BigInt64Array([1n, -2n]));
console.log(new Uint8Array(150).map((_, i) => i).subarray(0, 110));
console.log(Float32Array.from([1.5, 2.25]), { samples: new Uint16Array(4) }, new Float64Array([1.1, 2.2, 3.3, 4.4, 5.5, 6.6, 7.7]));

const error = new TypeError('wrong kind');
console.log(`${error}`, error.message, error.name, String(new Error('plain')), String(new Error()), Object.prototype.toString.call(error));
console.log({ name: error.name, message: error.message }, error instanceof Error, [new RangeError('r')].map(String));

console.log(Promise.resolve(5), Promise.resolve({ a: [1] }), (async () => 'text')());
console.log(function* () {}, async function* named() {}, Math.sin, parseInt, Symbol, [].map, Date, (x => x).bind(null), (function f() {}).bind({}));
console.log((function* () {})(), [1][Symbol.iterator](), 'ab'[Symbol.iterator](), 'a'.matchAll(/a/g));
console.log(new Boolean(true), Object('s'), [new Number(-0)], Object.assign(Object('xy'), { extra: 1 }));
console.log(null, undefined, true, -0, 0, [-0], NaN, '', [''], 1e-7, 123456789.123, 0xff, .5);
console.log([null, undefined], { n: null }, [[]], [{}], ['\t', "'", '"', `'"`, '\\', '\u{1F600}', '\x7f', '\0']);
console.log('multi\nline', ['multi\nline'], { text: 'first line of a long text that goes on and on\nsecond line of the long text that goes on' });
console.log('/a(?<n>b)c/.exec:', /a(?<n>b)c/.exec('xabcx'));
console.log('match:', 'a1b22'.match(/\d+/g), 'a1'.match(/(\d)/), 'none'.match(/z/));
console.log(Object.getOwnPropertyDescriptor({ x: 1 }, 'x'), Object.getOwnPropertyDescriptors({ get y() { return 1; } }));
console.log(new (class extends Date {})(0).getTime(), new ArrayBuffer(0).byteLength, Number('12px'), Array.isArray([]));
console.log(globalThis.undefinedThing, typeof globalThis, [function () {}, class Q {}, () => 1]);
new Date(Date.UTC(1999, 11, 31, 23, 59, 59));

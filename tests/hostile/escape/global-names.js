// ends: value
// attacks: names on the global object that are neither the language's nor promised to programs
// value: []
const known = new Set((
  "globalThis Infinity NaN undefined eval isFinite isNaN parseFloat parseInt decodeURI " +
  "decodeURIComponent encodeURI encodeURIComponent escape unescape Object Function Array String " +
  "Boolean Number BigInt Symbol Math JSON Reflect Proxy Date RegExp Map Set WeakMap WeakSet WeakRef " +
  "FinalizationRegistry Promise Iterator AsyncIterator ArrayBuffer SharedArrayBuffer Atomics " +
  "DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array " +
  "BigInt64Array BigUint64Array Float16Array Float32Array Float64Array Error EvalError RangeError " +
  "ReferenceError SyntaxError TypeError URIError AggregateError SuppressedError DisposableStack " +
  "AsyncDisposableStack Intl Temporal WebAssembly console structuredClone queueMicrotask atob btoa " +
  "TextEncoder TextDecoder URL URLSearchParams crypto performance DOMException"
).split(" "));
var ownNames = Reflect.ownKeys(globalThis).map(String);
ownNames.filter((name) => !known.has(name) && name !== "ownNames" && !name.startsWith("Symbol("));

// Newer parts of the language in one task: read settings, validate, report
const settings = { retries: 0, label: '', theme: null };
settings.retries ||= 3;
settings.label ??= 'unnamed';
settings.theme ??= 'dark';
settings.missing?.deep.call();
console.log(settings, Object.hasOwn(settings, 'theme'), settings.nothing?.[0] ?? 'fallback');

const parse = text => JSON.parse(text);
const first = await Promise.try(parse, '{"ok":true}');
const second = await Promise.try(parse, 'broken').catch(e => e.name);
console.log(first, second);

const numbers = [3, 1, 4, 1, 5, 9, 2, 6];
console.log(numbers.toSorted(), numbers.with(0, 30).at(0), numbers.findLast(n => n < 3), numbers.toSpliced(2, 4, 'cut'));
console.log(Object.fromEntries(Map.groupBy(numbers, n => (n > 4 ? 'high' : 'low'))));

const wanted = new Set([1, 2, 3]);
console.log(wanted.union(new Set([9])).size, wanted.isSubsetOf(new Set(numbers)), [...wanted.difference(new Set([1]))]);
console.log(new Set(numbers).values().filter(n => n % 2).map(n => n * 10).toArray());

const text = 'Release 2.10.3 (beta), then 3.0.0';
const versions = text.matchAll(/(?<major>\d+)\.(?<minor>\d+)\.(?<patch>\d+)/dg);
for (const m of versions) {
  const { major, minor, patch } = m.groups;
  console.log(`${major}/${minor}/${patch} at ${m.indices[0].join('-')}`);
}
console.log('a.b.c'.replaceAll('.', '/'), 'abc'.at(-1), /^\p{Emoji}$/u.test('🎉'), /a.c/s.test('a\nc'));

const error = new Error('outer', { cause: { code: 42 } });
console.log(error.cause.code, 1_000_000 === 1e6, 2 ** 10, 7n ** 3n);
class Config {
  static defaults = { depth: 2 };
  static #instances = 0;
  #options;
  constructor(options) { this.#options = { ...Config.defaults, ...options }; Config.#instances++; }
  get depth() { return this.#options.depth; }
  static get count() { return Config.#instances; }
}
console.log(new Config({ depth: 5 }).depth, new Config().depth, Config.count);

const label = Symbol('label');
const { a, b = {}, ...rest } = { a: 1, b: { d: 2, e: 3 }, f: 4, [label]: 'kept' };
const { c = 'default', ...others } = b;
console.log(a, c, others, rest);
const swap = ([x, y]) => [y, x];
const tag = (strings, ...values) => strings.raw.map((s, i) => s + (values[i] ?? '')).join('').toUpperCase();
console.log(swap([1, 2]), tag`sum: ${1 + 1} \n end`);
const results = await Promise.all([1, 2, 3].map(async n => n ** 2));
results.reduce((s, n) => s + n);

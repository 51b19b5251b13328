// JSON round trips, deep paths, merging, diffing and copies
const source = '{"user":{"name":"Ana","tags":["a","b"],"address":{"city":"Lima","zip":null}},"active":true,"balance":1e3,"created":"2024-01-05T00:00:00.000Z"}';
const data = JSON.parse(source);
console.log(data);

const revived = JSON.parse(source, (key, value) => (key === 'created' ? new Date(value) : value));
console.log(revived.created.getUTCFullYear(), revived.created instanceof Date);
console.log(JSON.stringify(data, ['user', 'name', 'active'], 2));
console.log(JSON.stringify({ a: undefined, f() {}, n: NaN, d: new Date(0), nested: [undefined, Infinity], toJSON: undefined, big: String(10n) }));
console.log(JSON.stringify({ amount: 5, secret: 'x' }, (k, v) => (k === 'secret' ? '***' : v)), JSON.stringify('"'), JSON.stringify([new Map([[1, 2]]), new Set([1])]));

const get = (obj, path, fallback) => path.split('.').reduce((o, k) => o?.[k], obj) ?? fallback;
console.log(get(data, 'user.address.city'), get(data, 'user.phone.home', 'none'), get(data, 'user.tags.1'));

const flatten = (obj, prefix = '') => Object.entries(obj).flatMap(([k, v]) =>
  v !== null && typeof v === 'object' ? flatten(v, `${prefix}${k}.`) : [[prefix + k, v]]);
console.log(Object.fromEntries(flatten(data)));

const merge = (a, b) => Object.keys({ ...a, ...b }).reduce((acc, k) => {
  const both = [a[k], b[k]].every(v => v && typeof v === 'object' && !Array.isArray(v));
  acc[k] = both ? merge(a[k], b[k]) : k in b ? b[k] : a[k];
  return acc;
}, {});
const merged = merge(data, { user: { address: { zip: '15001' } }, active: false });
const changes = flatten(merged).filter(([k, v]) => get(data, k) !== v);
console.log('Changes:', changes);

const copy = structuredClone(data);
copy.user.tags.push('c');
const shallow = { ...data };
shallow.user.name = 'Eve';
console.log(data.user.tags.length, copy.user.tags.length, data.user.name, copy.user.name);
try { JSON.parse('{"a":1,}'); } catch (e) { console.log(e.name, e instanceof SyntaxError); }
const frozen = Object.freeze({ x: 1 });
frozen.x = 2;
({ frozen, same: JSON.stringify(JSON.parse(source)) === JSON.stringify(JSON.parse(JSON.stringify(JSON.parse(source)))), merged });

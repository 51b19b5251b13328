console.table([{a:1,b:'x'},{a:2,c:true}]);console.table([[1,2],[3,4]]);console.table([1,'a',null,{x:1}]);console.table({p:{v:1},q:{v:2}});console.table(new Map([['k',1],['o',{z:1}]]));console.table(new Set([1,2]));console.table(5);console.table([{a:1,b:2}],['b']);console.table([]);console.table({a:1,b:[1,2]});console.table([{a:{n:1},f(){},d:new Date(0)}]);console.table([{name:'日本'}]);console.table([{a:undefined}]);console.table([['x']],['0']);console.table({});console.table([1,2],['a']);console.table("abc");console.table([{a:"it's"}]);
console.table([{ a: [1, 2, 3, 4, 5], b: { x: 1, y: 2, z: 3 }, c: { x: 1 } }]);
console.dir('text');
console.dirxml(1, 'two');
console.assert(false, 'x %d', 5);
console.clear();
const deep = { a: { b: { c: { d: {} } } } };
console.dir(deep, { depth: 0 }); console.dir(deep, { depth: 1 });
console.dir(deep, { depth: null }); console.dir(deep, { get depth() { throw 1 } });
console.dir([1, 2, 3], { maxArrayLength: 2 }); console.dir(['x'.repeat(50), 'y'.repeat(50)], { breakLength: Infinity });
const no = { valueOf() { throw 1 }, toString() { throw 2 }, toJSON() { throw 3 } };
console.log('%d|%d|%d|%d|%d', true, null, undefined, '0x10', 12n);
console.log('%i|%i|%i|%i|%i', 1e21, '0x1f', ' 12abc', -7.9, 12n);
console.log('%f|%f|%f', '3.5abc', 12n, 'x');
console.log('%d|%i|%f|%d|%i', no, no, no, Symbol('s'), Symbol('s'));
console.log('%j|%j', { a: [1, null] }, undefined);
console.log(Proxy.name, Proxy.length, 'prototype' in Proxy, Proxy.revocable.length);
try { Proxy({}, {}) } catch (error) { console.log(error.name) }
try { new Proxy(1, {}) } catch (error) { console.log(error.name) }
const read = new Proxy({}, { get: (_, key) => key });
console.log(read.abc, Reflect.ownKeys(read).length, Object.getOwnPropertySymbols(read).length);
const m = new Map([['a', 1], ['b', 2]]);
console.log(Map.prototype[Symbol.iterator] === Map.prototype.entries, Set.prototype.keys === Set.prototype.values);
console.log(Set.prototype[Symbol.iterator] === Set.prototype.values, m.keys.name, m.entries.name, new Set().values.name);
console.log([...m], [...m.keys()], [...m.values()], Object.keys(m.keys()), Array.from(new Set([1, 2]).entries()));
const { proxy, revoke } = Proxy.revocable({ x: 1 }, {});
console.log(proxy); revoke(); console.log(proxy);
try { proxy.x } catch (error) { console.log(error.name) }

// Promise.all, allSettled, any, race and the order of microtasks
const ok = v => Promise.resolve(v);
const fail = m => Promise.reject(new Error(m));

const all = await Promise.all([1, ok(2), (async () => 3)()]);
console.log('all:', all);

try {
  await Promise.all([ok(1), fail('second'), fail('third')]);
} catch (e) {
  console.log('all rejected with:', e.message);
}

const settled = await Promise.allSettled([ok('fine'), fail('broken')]);
for (const { status, value, reason } of settled) console.log(status, value ?? reason.message);
const [good, bad] = [settled.filter(s => s.status === 'fulfilled'), settled.filter(s => s.status === 'rejected')];
console.log(good, bad.length);

console.log('any:', await Promise.any([fail('no'), ok('first good'), ok('second good')]));
console.log('race:', await Promise.race([new Promise(() => {}), ok('fast'), fail('slow')]));
console.log('empty:', await Promise.all([]), await Promise.allSettled([]));
await Promise.any([]).catch(e => console.log(e.constructor.name, e.errors));

const order = [];
order.push('start');
const p = Promise.resolve().then(() => order.push('then 1')).then(() => order.push('then 2'));
queueMicrotask(() => order.push('microtask'));
(async () => {
  order.push('async before');
  await null;
  order.push('async after');
})();
order.push('end');
await p;
console.log(order.join(' > '));

const chained = await ok(2).then(x => x * 2).then(x => ok(x + 1)).finally(() => 'ignored');
console.log('chained:', chained);
const limit = async (tasks, n) => {
  const results = [];
  let next = 0, active = 0, peak = 0;
  const worker = async () => {
    while (next < tasks.length) {
      const i = next++;
      peak = Math.max(peak, ++active);
      results[i] = await tasks[i]();
      active--;
    }
  };
  await Promise.all(Array.from({ length: n }, worker));
  return { results, peak };
};
console.log(await limit([1, 2, 3, 4, 5].map(n => async () => n * n), 2));
console.log(ok(1), fail('x').catch(() => {}), new Promise(() => {}));

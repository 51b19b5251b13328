// Error handling: retries, finally, causes, custom classes, AggregateError
class HttpError extends Error {
  constructor(status, message, options) {
    super(message, options);
    this.name = 'HttpError';
    this.status = status;
  }
  get retryable() { return this.status >= 500; }
}

let calls = 0;
async function flaky() {
  calls++;
  if (calls < 3) throw new HttpError(503, `unavailable (call ${calls})`);
  return 'payload';
}

async function retry(task, attempts = 5) {
  for (let i = 1; ; i++) {
    try {
      const value = await task();
      console.log(`attempt ${i}: ok`);
      return value;
    } catch (e) {
      console.log(`attempt ${i}: ${e.name} ${e.status} ${e.message}`);
      if (!e.retryable || i >= attempts) throw new Error('gave up', { cause: e });
    } finally {
      console.debug(`attempt ${i} finished`);
    }
  }
}

async function main() {
  console.log(await retry(flaky));
  try {
    await retry(() => Promise.reject(new HttpError(404, 'not found')));
  } catch (e) {
    console.error(`${e}`, '| cause:', e.cause.message, e.cause instanceof HttpError, e.cause instanceof Error);
  }
  const order = [];
  const f = () => { try { order.push('try'); return 'from try'; } finally { order.push('finally'); } };
  console.log(f(), order);
  const swallowed = (() => { for (const x of [1, 2, 3]) { try { if (x === 2) continue; if (x === 3) return x; } finally { order.push(x); } } })();
  console.log(swallowed, order);
  await Promise.any([Promise.reject(new Error('a')), Promise.reject(new TypeError('b'))])
    .catch(e => console.log(e.name, e.errors.map(String)));
  await Promise.reject(new RangeError('late')).then(() => console.log('never')).catch(e => e.message.toUpperCase()).then(console.log);
  const results = await Promise.allSettled([flaky(), Promise.reject('plain reason'), 7]);
  console.log(results);
  try { null.property; } catch ({ name }) { console.log(name); }
  try { undefinedVariable; } catch (e) { console.log(e.name, e.message); }
  try { (void 0)(); } catch (e) { console.log(e.constructor === TypeError); }
  return { calls, name: new HttpError(500, 'x').name };
}

main();

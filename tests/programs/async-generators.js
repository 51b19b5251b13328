// Async generators: pages, pipelines, early exit with clean-up
async function* pages(total, size) {
  try {
    for (let start = 0; start < total; start += size) {
      yield await Promise.resolve(Array.from({ length: Math.min(size, total - start) }, (_, i) => start + i + 1));
    }
  } finally {
    console.log('cursor closed');
  }
}

for await (const page of pages(7, 3)) console.log('page', page);

for await (const page of pages(100, 10)) {
  console.log('only the first:', page.length);
  break;
}

const map = (f) => async function* (source) { for await (const x of source) yield f(x); };
const filter = (f) => async function* (source) { for await (const x of source) if (await f(x)) yield x; };
const flat = async function* (source) { for await (const xs of source) yield* xs; };
const pipe = (source, ...stages) => stages.reduce((s, stage) => stage(s), source);
const collect = async source => { const out = []; for await (const x of source) out.push(x); return out; };

console.log(await collect(pipe(pages(10, 4), flat, filter(async x => x % 2 === 0), map(x => x ** 2))));

for await (const x of [Promise.resolve('a'), 'b', Promise.resolve('c')]) console.log(x);

const countdown = {
  from: 3,
  async *[Symbol.asyncIterator]() { for (let i = this.from; i > 0; i--) yield i; },
};
console.log(await collect(countdown));

function* dialogue() {
  const name = yield 'Who are you?';
  const age = yield `Hello ${name}, how old?`;
  return `${name} is ${age}`;
}
const d = dialogue();
console.log(d.next(), d.next('Kim'), d.next(30), d.next());

const fibonacci = { *[Symbol.iterator]() { let [a, b] = [0, 1]; for (;;) { yield a; [a, b] = [b, a + b]; } } };
const [first, second, , fourth] = fibonacci;
console.log(first, second, fourth, Array.from({ length: 5 }, function () { return this.next().value; }, fibonacci[Symbol.iterator]()));

const g = pages(2, 1);
console.log(await g.next(), await g.return('stopped'), await g.next());
const broken = (async function* () { yield 1; throw new Error('in the generator'); })();
try { for await (const v of broken) console.log(v); } catch (e) { console.log('caught:', e.message); }

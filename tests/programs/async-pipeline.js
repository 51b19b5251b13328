// Process records through asynchronous stages with top-level await
const database = {
  users: [{ id: 1, name: 'Ada' }, { id: 2, name: 'Linus' }, { id: 3, name: 'Grace' }],
  posts: [{ user: 1, likes: 10 }, { user: 3, likes: 25 }, { user: 1, likes: 7 }],
};
const query = async (table, predicate = () => true) => database[table].filter(predicate);

async function report(user) {
  const posts = await query('posts', p => p.user === user.id);
  const likes = posts.reduce((s, p) => s + p.likes, 0);
  return { name: user.name, posts: posts.length, likes };
}

console.log('Loading…');
const users = await query('users');
const reports = await Promise.all(users.map(report));
console.table(reports);

for (const u of users) {
  const { name, likes } = await report(u);
  if (likes === 0) {
    console.warn(`${name} has no likes`);
    continue;
  }
  console.log(`${name}: ${likes}`);
}

const total = (await Promise.all(reports.map(async r => r.likes))).reduce((a, b) => a + b);
console.log('Total likes:', total);

const sequential = await users.reduce(async (acc, u) => [...(await acc), u.name.length], Promise.resolve([]));
console.log('Lengths:', sequential);

const { promise, resolve } = Promise.withResolvers();
resolve('resolved from outside');
console.log(await promise);
console.log(await 42, await null, await { then: done => done('a thenable') });
await reports.toSorted((a, b) => b.likes - a.likes)[0];

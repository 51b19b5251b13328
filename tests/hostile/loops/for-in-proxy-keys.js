// ends: time
// attacks: for-in over a proxy whose ownKeys trap never comes back
const target = new Proxy({}, {
  ownKeys() { for (;;); },
});
for (const key in target) key;

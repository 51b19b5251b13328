// ends: memory
// attacks: closures that each keep a scope of their own
const kept = [];
for (let i = 0; ; i++) {
  const local = [i, i + 1];
  kept.push(() => local);
}

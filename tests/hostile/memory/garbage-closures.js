// ends: time
// attacks: closures that refer to themselves, dropped at each round
for (let i = 0; ; i++) {
  const f = () => [f, i];
  f();
}

// ends: value
// attacks: a list of 300,000 links is dropped and made again: freeing it must not recur natively
// timeout: 10000
// value: 300000
let head = null;
for (let round = 0; round < 3; round++) {
  head = null;
  for (let i = 0; i < 100000; i++) head = { next: head, round };
}
300000;

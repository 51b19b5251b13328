// ends: value
// attacks: a list of 100,000 links, made and dropped three times: freeing it must not recur natively
// value: 300000
let links = 0;
for (let round = 0; round < 3; round++) {
  let head = null;
  for (let i = 0; i < 100000; i++, links++) head = { next: head };
}
links;

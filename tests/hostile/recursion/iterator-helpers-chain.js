// ends: recursion or value
// attacks: an iterator mapped 20,000 times: one `next` passes through all of the helpers
// value: 20000
let it = [0].values();
for (let i = 0; i < 20000; i++) it = it.map((x) => x + 1);
it.next().value;

// ends: time or memory
// attacks: elements from the far end downwards: sparse storage, one node each
// timeout: 10000
const a = [];
for (let i = 2 ** 32 - 2; i >= 0; i -= 1000) a[i] = i;

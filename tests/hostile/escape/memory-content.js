// ends: value
// attacks: fresh buffers could hold what the call before has left in memory
// value: 0
let seen = 0n;
for (let round = 0; round < 8; round++) {
  for (const word of new BigUint64Array(8192)) seen |= word;
  const grown = new ArrayBuffer(8, { maxByteLength: 65536 });
  grown.resize(65536);
  for (const word of new BigUint64Array(grown)) seen |= word;
}
Number(seen);

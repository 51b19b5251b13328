// ends: value
// attacks: nothing: 16 MiB in pieces are within the limit and must not be refused
// value: 16777216
const kept = [];
for (let i = 0; i < 16; i++) kept.push(new Uint8Array(1 << 20).fill(i));
kept.reduce((sum, piece) => sum + piece.length, 0);

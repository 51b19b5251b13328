// ends: time
// attacks: map in map in map in map: 200 ** 5 calls, each in a frame of its own
const a = new Array(200).fill(0);
a.map(() => a.map(() => a.map(() => a.map(() => a.map(() => 1).length).length).length).length);

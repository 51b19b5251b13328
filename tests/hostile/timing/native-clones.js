// ends: time or memory
// attacks: structuredClone of 100,000 objects in one native call, again and again
const data = Array.from({ length: 100000 }, (_, i) => ({ i }));
for (;;) structuredClone(data);

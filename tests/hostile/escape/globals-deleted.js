// ends: value
// attacks: each global that can be deleted is gone when the runner looks at the value
// value: {"left":[1]}
const { ownKeys, deleteProperty } = Reflect;
const everything = globalThis;
for (const key of ownKeys(everything)) deleteProperty(everything, key);
({ left: [1] });

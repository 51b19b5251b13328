// ends: value
// attacks: each global that can be deleted is gone when the runner looks at the value
// value: {"left":[1]}
for (const key of Reflect.ownKeys(globalThis)) Reflect.deleteProperty(globalThis, key);
({ left: [1] });

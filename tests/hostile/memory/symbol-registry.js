// ends: memory
// attacks: Symbol.for: a registry that no collector empties (nor may it outlive the program)
for (let i = 0; ; i++) Symbol.for("symbol " + i);

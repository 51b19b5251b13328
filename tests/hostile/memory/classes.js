// ends: memory
// attacks: classes made in a loop: constructors, prototypes, methods
const kept = [];
for (;;) kept.push(class { method() {} get value() { return 1; } static s = 1; });

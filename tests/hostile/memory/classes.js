// ends: memory
// attacks: classes made in a loop: constructors, prototypes, methods
// timeout: 10000
const kept = [];
for (;;) kept.push(class { method() {} get value() { return 1; } static s = 1; });

/*---
description: The same, but it says so.
flags: [noStrict]
---*/
undeclared = 1;
assert(undeclared === 1);

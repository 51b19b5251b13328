/*---
description: Passes as a sloppy script only, so it fails.
---*/
undeclared = 1;
assert(undeclared === 1);

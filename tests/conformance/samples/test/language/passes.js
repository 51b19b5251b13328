/*---
description: Passes in both modes.
includes: [add.js]
---*/
assert(add(1, 2) === 3);

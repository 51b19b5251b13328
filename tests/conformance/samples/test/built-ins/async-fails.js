/*---
description: Says later that it failed.
flags: [async]
---*/
Promise.reject(new Test262Error("late")).then($DONE, $DONE);

/*---
description: Says later that it is done.
flags: [async]
---*/
Promise.resolve(1).then(function (one) {
  assert(one === 1);
}).then($DONE, $DONE);

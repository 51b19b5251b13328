/*---
description: A rejection that nobody handles is no failure.
---*/
Promise.reject(new Test262Error("nobody listens"));

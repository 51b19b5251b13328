/*---
description: Must throw the suite's own error while it runs.
negative:
  phase: runtime
  type: Test262Error
---*/
throw new Test262Error("as it should");

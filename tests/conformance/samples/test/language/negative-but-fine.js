/*---
description: Ought to throw and does not, so it fails.
negative:
  phase: runtime
  type: TypeError
---*/
1 + 1;

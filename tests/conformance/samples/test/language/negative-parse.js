/*---
description: Must not be parsed.
negative:
  phase: parse
  type: SyntaxError
---*/
let twice, twice;

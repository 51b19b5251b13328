/*---
description: A limit ends it.
flags: [onlyStrict]
---*/
function deeper() { return 1 + deeper(); }
deeper();

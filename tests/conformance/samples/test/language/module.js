/*---
description: Cannot be run as a script.
flags: [module]
---*/
export default 1;

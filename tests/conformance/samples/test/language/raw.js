#!/usr/bin/env sample
/*---
description: Only valid with nothing in front of it.
flags: [raw]
---*/

// ends: memory
// attacks: a list of millions of links: a collector or a destructor that recurs would overflow
let head = null;
for (;;) head = { next: head };

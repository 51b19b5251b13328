// ends: time
// attacks: a limit that reads the program's own clock would see no time go by
Date.now = () => 0;
performance.now = () => 0;
Date.prototype.getTime = () => 0;
for (;;);

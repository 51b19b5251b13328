// ends: time
// attacks: Reflect.apply, one more native door into a loop
Reflect.apply(() => { for (;;); }, null, []);

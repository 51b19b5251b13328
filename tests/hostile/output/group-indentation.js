// ends: output
// attacks: groups without groupEnd: each line is indented more than the one before, without bound
for (let i = 0; i < 50000; i++) console.group("g");

// ends: output
// attacks: lines without end
for (let i = 0; ; i++) console.log("line", i);

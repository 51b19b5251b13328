// ends: time or memory
// attacks: a new pattern at each round: whatever caches compiled patterns grows
for (let i = 0; ; i++) new RegExp("(a" + i + "|b)+c").test("aab");

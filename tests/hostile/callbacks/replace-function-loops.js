// ends: time
// attacks: String.prototype.replace with a function that does not come back
"abc".replace(/b/, () => { for (;;); });

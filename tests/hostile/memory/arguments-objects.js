// ends: memory or time
// attacks: arguments objects of 1,000 elements each, kept
// timeout: 3000
const kept = [];
function keep() { kept.push(arguments); }
const many = new Array(1000).fill(0);
for (;;) keep(...many);

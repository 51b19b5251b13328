// ends: value or memory
// attacks: an array literal of 400,000 elements
// value: 400000
eval("[" + "1,".repeat(400000) + "]").length;

// ends: time or memory
// attacks: for-of over an array that gets a new element at each round
const queue = [0];
for (const item of queue) queue.push(item + 1);

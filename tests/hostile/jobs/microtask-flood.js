// ends: time or memory
// attacks: each microtask queues two
// timeout: 5000
const spread = () => {
  queueMicrotask(spread);
  queueMicrotask(spread);
};
spread();

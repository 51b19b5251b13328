// ends: time
// attacks: an async function that awaits an immediate promise in an endless loop
async function spin() {
  for (;;) await Promise.resolve();
}
spin();

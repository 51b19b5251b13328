// ends: time
// attacks: the part of an async function after its first await runs as a job
(async () => {
  await null;
  while (true);
})();

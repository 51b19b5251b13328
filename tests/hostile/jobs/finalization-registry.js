// ends: memory or time
// attacks: clean-up callbacks that would register the next object, and garbage to set them off
// timeout: 5000
const registry = new FinalizationRegistry(() => {
  registry.register({}, 1);
  for (;;);
});
for (;;) registry.register({ data: [1, 2, 3] }, 1);

// ends: memory
// attacks: reactions piled up on one promise that never settles
// timeout: 10000
const never = new Promise(() => {});
for (;;) never.then(() => 1);

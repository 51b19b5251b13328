// ends: memory
// attacks: reactions piled up on one promise that never settles
const never = new Promise(() => {});
for (;;) never.then(() => 1);

// ends: time
// attacks: the catch block uses what it caught, and begins again
const caught = [];
for (;;) {
  try {
    while (true) caught.length;
  } catch (error) {
    caught.push(String(error));
  }
}

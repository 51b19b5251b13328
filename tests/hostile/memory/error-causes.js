// ends: memory
// attacks: errors in a chain of causes, as a retry loop makes them
// timeout: 10000
let last;
for (;;) {
  try {
    throw new Error("again", { cause: last });
  } catch (error) {
    last = error;
  }
}

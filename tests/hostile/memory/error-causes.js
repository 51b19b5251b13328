// ends: memory
// attacks: errors in a chain of causes, as a retry loop makes them
let last;
for (;;) {
  try {
    throw new Error("again", { cause: last });
  } catch (error) {
    last = error;
  }
}

// What pages of one browser tell each other.

/** The channel of this name; where the browser lets pages keep nothing it may refuse one, and then nobody is told. */
export function channel(name) {
  try {
    return new BroadcastChannel(name);
  } catch {
    return { postMessage() {}, addEventListener() {} };
  }
}

// What is paid for is begun once, however often it has to be sent: a request has one key until it is known what became
// of it. An answer may be lost on its way, and nobody can tell that from a request that never arrived.

import { Refused } from "./connection.js";

/** Requests of which that may be unknown at once; the oldest goes. */
const MOST = 20;

/** The keys of such requests, by what these say. */
const keys = new Map();

/** The key of a request that says this. */
export function keyOf(says) {
  if (!keys.has(says)) keys.set(says, randomKey());
  if (keys.size > MOST) keys.delete(keys.keys().next().value);
  return keys.get(says);
}

/** It is known what became of it: whoever says the same once more means another. */
export function settle(says) {
  keys.delete(says);
}

/** The same where it ended with an error: one that passes, or a lost connection, leaves it open. A key that was used is given up. */
export function settleBy(error, says) {
  if (error instanceof Refused && !error.passes) settle(says);
}

/** Begins something by `send(key)`; `says` is its request. */
export async function once(says, send) {
  try {
    const told = await send(keyOf(says));
    settle(says);
    return told;
  } catch (error) {
    settleBy(error, says);
    throw error;
  }
}

function randomKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

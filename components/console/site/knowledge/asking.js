// A question to the documents: its answer is shown while it is written, or once more by its address.

import { Refused } from "../connection.js";
import { begin, initial, reduce } from "../state.js";
import * as api from "./api.js";

/** Why it is read no further: somebody ended it, whoever began it. */
export const STOPPED = "stopped";
/** The same: its reader went on to something else, and its address leads back to it. It goes on. */
export const LEFT = "left";

/**
 * Reads an answer by `open(options)`, and shows in `answer` what comes. `id` is that of one that was begun before, which
 * goes on when it is only read no further. `onBegun({ id, query })` is called when it has begun. Resolves with the whole
 * answer, as `POST /knowledge/ask` tells it in one piece; rejects as that would be refused.
 */
export async function answered(open, { id = null, signal, answer, onBegun }) {
  let state = { ...begin(initial(), null), id };
  let told = null;
  let isDrawn = true;
  const update = (next) => {
    state = next;
    if (!isDrawn) return;
    isDrawn = false;
    // At most once a frame, however many events came.
    requestAnimationFrame(() => {
      isDrawn = true;
      if (told === null && state.phase === "running" && !signal.aborted) answer.begin(state);
    });
  };
  update(state);
  const reading = new AbortController();
  // Where nobody waits for the rest of it, nobody is to pay for that. Before it has an id it cannot be stopped.
  const leave = () => {
    if (state.phase !== "running" || !state.id) return;
    if (signal.reason === STOPPED || (id === null && signal.reason !== LEFT)) api.stopAsk(state.id);
    reading.abort();
  };
  const left = new Promise((_, reject) => {
    signal.addEventListener("abort", () => {
      leave();
      reject(signal.reason);
    }, { once: true });
  });
  const read = open({
    signal: reading.signal,
    onEvent(name, payload) {
      if (name === "knowledge_answer") told = payload;
      update(reduce(state, name, payload));
      if (signal.aborted) leave();
      else if (name === "init") onBegun(state);
    },
    onDrop: () => update({ ...state, status: "The connection dropped. Reconnecting" }),
    onJoined: () => update({ ...state, status: "Reconnected" }),
  });
  // Whoever left hears of neither.
  for (const each of [left, read]) each.catch(() => {});
  try {
    await Promise.race([read, left]);
  } finally {
    if (state.phase === "running" && !signal.aborted) state = { ...state, phase: "failed" };
    if (told === null && !signal.aborted) answer.breakOff();
  }
  if (told) return told;
  const { type, message } = state.failure ?? { type: "interrupted", message: "It ended before the answer was complete." };
  throw new Refused(0, { type, message });
}

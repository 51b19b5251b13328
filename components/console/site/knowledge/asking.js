// A question to the documents: its answer is shown while it is written.

import { Refused } from "../connection.js";
import { begin, initial, reduce } from "../state.js";
import * as api from "./api.js";

/**
 * Asks, and shows in `answer` what comes. Resolves with the whole answer, as `POST /knowledge/ask` tells it in one
 * piece; rejects as that would be refused.
 */
export async function answered(body, signal, answer) {
  let state = begin(initial(), null);
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
  // Nobody waits for the rest of it, and nobody is to pay for that.
  signal.addEventListener("abort", () => state.phase === "running" && state.id && api.stopAsk(state.id), { once: true });
  try {
    await api.ask(body, {
      signal,
      onEvent(name, payload) {
        if (name === "knowledge_answer") told = payload;
        update(reduce(state, name, payload));
      },
      onDrop: () => update({ ...state, status: "The connection dropped. Reconnecting" }),
      onJoined: () => update({ ...state, status: "Reconnected" }),
    });
  } finally {
    if (state.phase === "running") state = { ...state, phase: "failed" };
    if (told === null && !signal.aborted) answer.breakOff();
  }
  if (told) return told;
  const { type, message } = state.failure ?? { type: "interrupted", message: "It ended before the answer was complete." };
  throw new Refused(0, { type, message });
}

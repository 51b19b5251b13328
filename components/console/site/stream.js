// Asks, joins and stops asks.

import { follow, refusal } from "./connection.js";

const LAST = new Set(["complete", "error", "quota_exceeded"]);

/**
 * Asks, and calls `onEvent(name, payload, number)` for each event, in order and once. Resolves
 * with the name of the last event. `onDrop(ms)` tells of a dropped connection and the pause before
 * the next try, `onJoined()` of its end.
 */
export function ask(body, options) {
  return askAt("/ask", body, options);
}

/** The same at another path, whose events are an ask's. `headers`, if need be, say who asks. */
export function askAt(path, body, options) {
  return follow(session(null, 0, options), options, (signal) =>
    fetch(`${options.base}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream", ...options.headers },
      body: JSON.stringify(body),
      signal,
    }));
}

/** Joins an ask after the event with this number; else as `ask`. */
export function join(id, after, options) {
  const joined = session(id, after, options);
  return follow(joined, options, joined.again);
}

/** Asks a running ask to end at its next step. */
export async function stop(id, base) {
  const response = await fetch(`${base}/ask/${encodeURIComponent(id)}/stop`, { method: "POST" });
  if (!response.ok) throw await refusal(response);
}

function session(id, last, { base, headers, onEvent }) {
  const self = {
    id,
    last,
    ended: null,
    take(name, payload, number) {
      if (name === "init" && typeof payload.id === "string") self.id = payload.id;
      if (LAST.has(name)) self.ended = name;
      onEvent(name, payload, number);
    },
    again: (signal) =>
      fetch(`${base}/ask/${encodeURIComponent(self.id)}/events`, {
        headers: { accept: "text/event-stream", "last-event-id": String(self.last), ...headers },
        signal,
      }),
  };
  return self;
}

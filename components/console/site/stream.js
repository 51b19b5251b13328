// Reads server-sent events from a fetch, and joins again when the connection drops.
//
// EventSource cannot send a POST, so the frames are read here. Events are numbered: what comes
// twice after a rejoin is dropped by its number.

const LAST = new Set(["complete", "error", "quota_exceeded"]);
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;
const MOST_TRIES = 8;

/** Cuts a text stream into frames: `push` returns the events that became whole. */
export function frameReader() {
  let rest = "";
  return (text) => {
    rest += text;
    const events = [];
    for (;;) {
      const end = rest.search(/\r?\n\r?\n/);
      if (end < 0) return events;
      const frame = rest.slice(0, end);
      rest = rest.slice(end).replace(/^\r?\n\r?\n/, "");
      const event = { id: null, name: "message", data: [] };
      for (const line of frame.split(/\r?\n/)) {
        const [, field, value] = /^(\w*):? ?(.*)$/.exec(line) ?? [];
        if (field === "id") event.id = Number(value) || null;
        if (field === "event") event.name = value;
        if (field === "data") event.data.push(value);
      }
      if (event.data.length) events.push(event);
    }
  };
}

/**
 * Asks and calls `onEvent(name, payload, id)` for each event, in order and once. Resolves with the
 * name of the last event. `onDrop(waitMs)` tells of a dropped connection.
 */
export async function ask(body, { onEvent, onDrop, signal, base = "..", wait = delay }) {
  const state = { last: 0, id: null, ended: null };
  const take = ({ id, name, data }) => {
    if (id !== null && id <= state.last) return;
    if (id !== null) state.last = id;
    const payload = parse(data.join("\n"));
    if (name === "init" && payload.id) state.id = payload.id;
    if (LAST.has(name)) state.ended = name;
    onEvent(name, payload, id);
  };
  const request = {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify(body),
    signal,
  };
  let response = fetch(`${base}/ask`, request);
  let tries = 0;
  for (;;) {
    try {
      const before = state.last;
      await read(await response, take);
      if (state.last > before) tries = 0;
    } catch (error) {
      if (signal?.aborted || error instanceof Refused) throw error;
    }
    if (state.ended) return state.ended;
    if (!state.id) throw new Error("Quarry cannot be reached. Is it running?");
    if (++tries > MOST_TRIES) throw new Error("The connection is lost. The answer goes on without you; reload later.");
    const pause = Math.min(FIRST_WAIT * 2 ** (tries - 1), LONGEST_WAIT);
    onDrop(pause);
    await wait(pause);
    response = fetch(`${base}/ask/${state.id}/events`, {
      headers: { accept: "text/event-stream", "last-event-id": String(state.last) },
      signal,
    });
  }
}

class Refused extends Error {}

async function read(response, take) {
  if (!response.ok || !response.body) {
    const text = await response.text();
    throw new Refused(parse(text).error?.message ?? `Quarry answered with status ${response.status}`);
  }
  const push = frameReader();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    push(value).forEach(take);
  }
}

/** Asks a running ask to stop. */
export function stop(id, base = "..") {
  return fetch(`${base}/ask/${id}/stop`, { method: "POST" });
}

export function delay(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

// Reads numbered events from a fetch, and joins again when the connection drops.
//
// EventSource cannot POST, so the frames are read here. What comes twice after a rejoin is dropped by its number.

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 10_000;
const MOST_TRIES = 10;
/** A comment comes every 15 s; a connection that is silent for longer than three is dead. */
const SILENCE = 50_000;

/** Kinds of faults that pass: the same request may do later. */
export const PASSES = ["rate_limited", "busy", "unavailable", "provider_failed", "internal", "too_slow"];

/** The server answered, and the answer is no. `field` is what it does not like, where that is one field; `stands` where what is not in a state for this stands. */
export class Refused extends Error {
  constructor(status, { type, message, field, param, code, status: stands }, retryAfter) {
    super(message ?? `The server answered with status ${status}.`);
    Object.assign(this, { status, type: type ?? null, field: field ?? param ?? null, code: code ?? null, stands: stands ?? null, retryAfter });
  }

  /** Whether the same request may do later. */
  get passes() {
    return this.status >= 500 || this.status === 429 || this.status === 408;
  }
}

/** No server to be reached, or no longer. `id` is there when what was followed goes on without us. */
export class Lost extends Error {
  constructor(id) {
    super(id ? "the connection is lost" : "the server cannot be reached");
    this.id = id;
  }
}

/** Cuts text into events: call it with each piece; it calls back for each event that is whole. */
export function frameReader(onEvent) {
  let rest = "";
  let event = { id: null, name: "message", data: [] };
  const line = (text) => {
    if (!text) {
      if (event.data.length) onEvent({ ...event, data: event.data.join("\n") });
      event = { id: null, name: "message", data: [] };
      return;
    }
    const colon = text.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? "" : text.slice(colon + (text[colon + 1] === " " ? 2 : 1));
    if (field === "id") event.id = /^\d+$/.test(value) ? Number(value) : null;
    if (field === "event") event.name = value;
    if (field === "data") event.data.push(value);
  };
  return (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const each of lines) line(each.endsWith("\r") ? each.slice(0, -1) : each);
  };
}

/**
 * Follows a stream, and resolves with the `ended` of its session. A session has
 * - `last`: the number of the last event that was taken;
 * - `id`: what can be joined again; null while nothing can;
 * - `ended`: null until nothing more comes;
 * - `take(name, payload, number)`: called for each event, in order and once; may set `id` and `ended`;
 * - `again(signal)`: fetches what comes after `last`;
 * - `nothing()`, if need be: the answer is that nothing more comes;
 * - `mayBeOver()`, if need be: whether a stream that ended in good order is to be asked for at once, as it may have
 *   been all of it.
 * `onDrop(ms)` tells of a dropped connection and the pause before the next try, `onJoined()` of its end.
 */
export async function follow(session, { signal, clock, onDrop, onJoined }, open) {
  let tries = 0;
  let isDropped = false;
  for (;;) {
    const before = session.last;
    let fault = null;
    try {
      await read(open, session, clock, signal, () => isDropped && onJoined());
    } catch (error) {
      fault = error;
    }
    if (session.ended) return session.ended;
    signal.throwIfAborted();
    if (fault instanceof Refused && !(fault.passes && session.id)) throw fault;
    if (!session.id) throw new Lost(null);
    tries = session.last > before ? 1 : tries + 1;
    if (tries > MOST_TRIES) throw new Lost(session.id);
    isDropped = fault !== null || !session.mayBeOver?.();
    if (isDropped) {
      const pause = fault?.retryAfter ?? Math.min(FIRST_PAUSE * 2 ** (tries - 1), LONGEST_PAUSE);
      onDrop(pause);
      await sleepOrOnline(pause, clock, signal);
    }
    open = session.again;
  }
}

/** Reads one connection to its end. */
async function read(open, session, clock, outer, onOpen) {
  const connection = new AbortController();
  const signal = AbortSignal.any([outer, connection.signal]);
  const alive = (promise) => unlessSilent(promise, clock, signal);
  try {
    const response = await alive(open(signal));
    if (response.status === 204 && session.nothing) return session.nothing();
    const type = response.headers.get("content-type") ?? "";
    if (!response.ok || !response.body || !type.startsWith("text/event-stream")) throw await refusal(response);
    onOpen();
    await frames(response, alive, (event) => take(event, session), () => session.ended);
  } finally {
    connection.abort();
  }
}

/** Reads the frames of an answer until one `isLast()`, or it ends; each piece is waited for as `alive(promise)` does. */
async function frames(response, alive, onFrame, isLast) {
  const push = frameReader(onFrame);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  while (!isLast()) {
    const { value, done } = await alive(reader.read());
    if (done) return;
    push(value);
  }
}

/**
 * Reads the events of an answer that cannot be joined again, to its end: `onEvent(name, payload)` is called for each.
 * `signal` is that of its request. Rejects as lost where it breaks off, or is silent for too long.
 */
export async function events(response, { clock, signal }, onEvent) {
  const alive = (promise) => unlessSilent(promise, clock, signal);
  await frames(response, alive, ({ name, data }) => onEvent(name, parse(data)), () => false).catch(() => {
    throw new Lost(null);
  });
}

function take({ id, name, data }, session) {
  if (session.ended || (id !== null && id <= session.last)) return;
  if (id !== null) session.last = id;
  session.take(name, parse(data), id);
}

async function unlessSilent(promise, clock, signal) {
  const heard = new AbortController();
  const silence = clock.sleep(SILENCE, heard.signal).then(() => {
    throw new Error("silence");
  });
  silence.catch(() => {});
  const left = new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true, signal: heard.signal });
  });
  left.catch(() => {});
  promise.catch(() => {});
  try {
    return await Promise.race([promise, silence, left]);
  } finally {
    heard.abort();
  }
}

/** A network that comes back is worth a try at once. */
export async function sleepOrOnline(ms, clock, signal) {
  const over = new AbortController();
  const online = new Promise((resolve) => {
    addEventListener("online", resolve, { once: true, signal: over.signal });
  });
  const sleep = clock.sleep(ms, AbortSignal.any([signal, over.signal]));
  sleep.catch(() => {});
  try {
    await Promise.race([sleep, online]);
  } finally {
    over.abort();
  }
}

/** What an answer that is no says. */
export async function refusal(response) {
  const text = await response.text().catch(() => "");
  const { error } = parse(text);
  const seconds = Number(response.headers.get("retry-after") ?? "");
  return new Refused(response.status, error ?? {}, seconds > 0 ? seconds * 1000 : undefined);
}

function parse(text) {
  try {
    const value = JSON.parse(text);
    return value && typeof value === "object" ? value : {};
  } catch {
    return {};
  }
}

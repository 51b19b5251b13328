// Asks, joins and stops asks.

import { PASSES, follow, refusal } from "./connection.js";
import { keyOf, settle, settleBy } from "./sending.js";
import { inHeader } from "./server.js";

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
  const text = JSON.stringify(body);
  return begin(`${path} ${text}`, options, (signal, key) =>
    fetch(`${options.base}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream", "idempotency-key": key, ...options.headers },
      body: text,
      signal,
    }));
}

/** Follows what a request begins that `says` this. It has one key until something has begun, or it is refused for good. */
async function begin(says, options, open) {
  const self = session(null, 0, options, () => settle(says));
  try {
    return await follow(self, options, (signal) => open(signal, keyOf(says), self));
  } catch (error) {
    if (!self.id) settleBy(error, says);
    throw error;
  }
}

/** The same of a question that follows up on the answer of an ask: what was said before is known to it. */
export function askAfter(earlier, body, options) {
  const says = `${earlier} ${JSON.stringify(body)}`;
  return begin(says, options, async (signal, key, self) => {
    self.id = await begun(earlier, body, key, options.base, signal);
    settle(says);
    return self.again(signal);
  });
}

/** Begins it at the door that keeps conversations, and gives the id of its ask, whose events are as all are. */
async function begun(earlier, body, key, base, signal) {
  const { query, model = "quarry", apiKey, accessSecret, budget, max_iterations, sources = ["web"], collection, verify_with_model } = body;
  const response = await fetch(`${base}/v1/responses`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "idempotency-key": key,
      ...(accessSecret && { authorization: `Bearer ${inHeader(accessSecret)}` }),
      ...(apiKey && { "x-provider-key": inHeader(apiKey) }),
    },
    body: JSON.stringify({
      model, input: query, previous_response_id: `resp_${earlier}`, background: true,
      quarry: { budget, max_iterations, sources, collection, verify_with_model },
    }),
    signal,
  });
  if (!response.ok) throw asOurs(await refusal(response));
  const { id } = await response.json();
  return id.slice("resp_".length);
}

/** What that door calls otherwise. */
const KINDS = {
  invalid_api_key: "unauthorized", missing_provider_key: "missing_key", forbidden: "forbidden",
  rate_limit_exceeded: "rate_limited", previous_response_not_found: "not_followed",
};

function asOurs(refused) {
  const kind = Object.hasOwn(KINDS, refused.code ?? "") ? KINDS[refused.code] : refused.field ? "invalid_field" : refused.type;
  const field = refused.field?.replace(/^quarry\./, "").replace(/^input$/, "query") ?? null;
  return Object.assign(refused, { type: kind, field });
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

/** `onKnown()` is called when it is known what became of the request that begins it. */
function session(id, last, { base, headers, onEvent }, onKnown = () => {}) {
  const self = {
    id,
    last,
    ended: null,
    take(name, payload, number) {
      if (name === "init" && typeof payload.id === "string") self.id = payload.id;
      if (LAST.has(name)) self.ended = name;
      // What is refused for now has not begun, and may be a second try of what has.
      if (self.id || (self.ended && !PASSES.includes(payload.type))) onKnown();
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

// What the page asks of the server. Keys are in memory for as long as the page is there, and nowhere else.

import { Lost, follow, refusal } from "../connection.js";

const BASE = "../..";

/** The server's access secret, as the person typed it; gone with the page. */
let secret = "";

export function setSecret(value) {
  // A header has bytes, and each of its characters is one.
  secret = String.fromCharCode(...new TextEncoder().encode(value.trim()));
}

async function request(path, { method = "GET", body, accept = "application/json", headers = {} } = {}) {
  const options = { method, headers: { accept, ...headers } };
  if (secret) options.headers.authorization = `Bearer ${secret}`;
  if (body !== undefined) {
    options.headers["content-type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const response = await fetch(`${BASE}${path}`, options).catch(() => {
    throw new Lost(null);
  });
  if (!response.ok) throw await refusal(response);
  return response;
}

const of = (id, rest = "") => `/runs/${encodeURIComponent(id)}${rest}`;
const json = async (path, options) => (await request(path, options)).json();

/** Begins a run; asked again with the same key, it is the same run. */
export const start = (body, key) => json("/runs", { method: "POST", body, headers: { "idempotency-key": key } });

/** A page of the caller's runs. */
export function page({ status, cursor }) {
  const query = new URLSearchParams();
  if (status) query.set("status", status);
  if (cursor) query.set("cursor", cursor);
  return json(`/runs?${query}`);
}

/** A run's record and tree. */
export const snapshot = (id) => json(of(id));
/** The same with every finding, and every source, those too that were left out. */
export const everything = (id) => json(of(id, "?include=findings"));
export const abort = (id) => json(of(id, "/abort"), { method: "POST" });
export const resume = (id, body) => json(of(id, "/resume"), { method: "POST", body });
export const guide = (id, text) => json(of(id, "/guidance"), { method: "POST", body: { text } });
export const fork = (id, body) => json(of(id, "/fork"), { method: "POST", body });
export const forget = (id) => request(of(id), { method: "DELETE" });

/** A report, in the form of a media type; before the end, what can be said now. */
export const report = (id, accept, isPartial) => request(of(id, `/report${isPartial ? "?partial=true" : ""}`), { accept });
/** Everything that a run did. */
export const trace = (id, form) => request(of(id, `/trace?form=${form}`), { accept: "application/x-ndjson" });

/** What may be said of knobs: their names, ranges and words. */
export async function knobs() {
  const document = await json("/openapi.json");
  return document.components.schemas.RunRequest.properties.config.properties;
}

/**
 * Follows a run's events after the one of this number; resolves when nothing more comes unless somebody does
 * something. `mayBeOver()` says whether that is to be expected.
 */
export function watch(id, after, { onEvent, mayBeOver, ...options }) {
  const session = {
    id,
    last: after,
    ended: null,
    take: onEvent,
    nothing: () => { session.ended = "over"; },
    mayBeOver,
    again: (signal) =>
      fetch(`${BASE}${of(id, "/events")}`, {
        headers: {
          accept: "text/event-stream",
          "last-event-id": String(session.last),
          ...(secret && { authorization: `Bearer ${secret}` }),
        },
        signal,
      }),
  };
  return follow(session, options, session.again);
}

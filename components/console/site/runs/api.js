// What the page of runs asks of the server.

import { follow } from "../connection.js";
import { at, identity, json, request } from "../server.js";

const of = (id, rest = "") => `/runs/${encodeURIComponent(id)}${rest}`;

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
/** Begins another from it; the key is as one that begins a run. */
export const fork = (id, body, key) => json(of(id, "/fork"), { method: "POST", body, headers: { "idempotency-key": key } });
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
      fetch(at(of(id, "/events")), {
        headers: { accept: "text/event-stream", "last-event-id": String(session.last), ...identity() },
        signal,
      }),
  };
  return follow(session, options, session.again);
}

// What the page of documents asks of the server.

import { clock } from "../clock.js";
import { Lost, PASSES, events } from "../connection.js";
import { at, identity, json, request } from "../server.js";
import { askAt, join, stop } from "../stream.js";

const of = (id, rest = "") => `/knowledge/documents/${encodeURIComponent(id)}${rest}`;

function query(fields) {
  const set = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return set.length ? `?${new URLSearchParams(set)}` : "";
}

/** Loads one file, as `loadDocument` does. It takes no other document's place unless that `isMeant`. */
export function loadFile(file, collection, isMeant, onProgress) {
  const body = new FormData();
  if (collection) body.set("collection", collection);
  body.set("replace", String(isMeant));
  body.set("file", file, file.webkitRelativePath || file.name);
  return loadDocument(body, onProgress);
}

/**
 * Loads what is at an address, or a text; resolves with what the server says of it. `onProgress({ done, chunks })` is
 * called while a model makes its vectors, and of what is long without any.
 */
export async function loadDocument(body, onProgress) {
  const reading = new AbortController();
  let told = null;
  try {
    const response = await request("/knowledge/documents", { method: "POST", body, accept: "text/event-stream", signal: reading.signal });
    await events(response, { clock, signal: reading.signal }, (name, payload) => {
      if (name === "progress") onProgress(payload);
      if (name === "document") told = payload;
    }).catch((error) => {
      // What became of it is known, whatever broke off behind that.
      if (!told) throw error;
    });
  } finally {
    reading.abort();
  }
  if (!told) throw new Lost(null);
  const { change, error, type, status: stands, retry_after: seconds } = told;
  if (change === "failed") throw Object.assign(new Error(error), { type, stands, passes: PASSES.includes(type), retryAfter: seconds > 0 ? seconds * 1000 : undefined });
  return told;
}

/** The caller's collections. */
export const collections = () => json("/knowledge/collections");
/** What a collection is made of. */
export const stats = (name) => json(`/knowledge/collections/${encodeURIComponent(name)}/stats`);
/** Makes the index of a collection anew; resolves with what it is made of then. */
export const reindex = (name) => json(`/knowledge/collections/${encodeURIComponent(name)}/reindex`, { method: "POST" });
/** A page of the documents of a collection. */
export const documents = ({ collection, cursor }, signal) => json(`/knowledge/documents${query({ collection, cursor, limit: 50 })}`, { signal });
/** A document, and its chunks from one of them on; whether it was `changed` since the state that it was cited in. */
export const document_ = (id) => json(of(id));
export const chunks = (id, from, asOf) => json(of(id, `/chunks${query({ from, limit: 100, as_of: asOf })}`));
export const forget = (id) => request(of(id), { method: "DELETE" });

/** The passages that fit a question. */
export const search = (body, signal) => json("/knowledge/search", { method: "POST", body, signal });
/** An answer from the documents, as it comes: `onEvent(name, payload)` is called for each event. */
export const ask = (body, options) => askAt("/knowledge/ask", body, { ...ours(), ...options });
/** The same of one that was begun before, from its beginning. */
export const joinAsk = (id, options) => join(id, 0, { ...ours(), ...options });
/** Has an answer that is under way end. Whoever asks for that does not wait for it. */
export const stopAsk = (id) => stop(id, base()).catch(() => {});

function ours() {
  return { base: base(), headers: identity(), clock };
}

function base() {
  return at("").replace(/\/$/, "");
}

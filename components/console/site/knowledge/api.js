// What the page of documents asks of the server.

import { clock } from "../clock.js";
import { at, identity, json, request } from "../server.js";
import { askAt, join, stop } from "../stream.js";

const of = (id, rest = "") => `/knowledge/documents/${encodeURIComponent(id)}${rest}`;

function query(fields) {
  const set = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return set.length ? `?${new URLSearchParams(set)}` : "";
}

/** Loads one file; resolves with what the server says of it. It takes no other document's place unless that `isMeant`. */
export async function loadFile(file, collection, isMeant) {
  const body = new FormData();
  if (collection) body.set("collection", collection);
  body.set("replace", String(isMeant));
  body.set("file", file, file.webkitRelativePath || file.name);
  return only(await json("/knowledge/documents", { method: "POST", body }));
}

/** Loads what is at an address, or a text. */
export const loadDocument = (body, signal) => json("/knowledge/documents", { method: "POST", body, signal });

/** What became of the only file of a batch. */
function only({ documents: [file] }) {
  if (file.change === "failed") throw Object.assign(new Error(file.error), { type: file.type, stands: file.status });
  return file;
}

/** The caller's collections. */
export const collections = () => json("/knowledge/collections");
/** What a collection is made of. */
export const stats = (name) => json(`/knowledge/collections/${encodeURIComponent(name)}/stats`);
/** Makes the index of a collection anew; resolves with what it is made of then. */
export const reindex = (name) => json(`/knowledge/collections/${encodeURIComponent(name)}/reindex`, { method: "POST" });
/** A page of the documents of a collection. */
export const documents = ({ collection, cursor }) => json(`/knowledge/documents${query({ collection, cursor, limit: 50 })}`);
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

// Requests to the server. Its access secret is in memory for as long as the page is there, or as long as the tab where the
// page of asks was told to keep it.

import { Lost, Refused, refusal } from "./connection.js";

/** As the person typed it. */
let secret = "";

/** A text as a header takes it: that has bytes, and each of its characters is one. */
export function inHeader(value) {
  return String.fromCharCode(...new TextEncoder().encode(value.trim()));
}

function setSecret(value) {
  secret = inHeader(value);
}

try {
  setSecret(sessionStorage.getItem("access-secret") ?? "");
} catch {
  // Nothing may be kept.
}

/** The headers that say who asks. */
export function identity() {
  return secret ? { authorization: `Bearer ${secret}` } : {};
}

/** The address of a path of the server, wherever the console is served. */
export function at(path) {
  return new URL(`..${path}`, import.meta.url).href;
}

/** Whether the server refuses whoever shows no secret; null where it cannot be told. */
export async function wantsSecret() {
  const { status } = await fetch(at("/v1/models"), { credentials: "omit" }).catch(() => ({}));
  return status === 401 || (status === 200 ? false : null);
}

/** Makes a request and returns its answer, which is a good one. `body` is sent as JSON; a form is sent as it is. */
export async function request(path, { method = "GET", body, accept = "application/json", headers = {}, signal } = {}) {
  const options = { method, headers: { accept, ...identity(), ...headers }, signal };
  if (body instanceof FormData) options.body = body;
  else if (body !== undefined) {
    options.headers["content-type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const response = await fetch(at(path), options).catch((error) => {
    throw signal?.aborted ? error : new Lost(null);
  });
  if (!response.ok) throw await refusal(response);
  return response;
}

/** The same where the answer is JSON. */
export async function json(path, options) {
  return (await request(path, options)).json();
}

/**
 * Returns a function that makes requests; one that wants the access secret is made again with it, where the person
 * gives it. `askSecret()` resolves with it or null; `why(message)` says what the server said.
 */
export function admitted(askSecret, why) {
  const unlock = async () => {
    const given = await askSecret();
    if (given !== null) setSecret(given);
    return given !== null;
  };
  const ask = async (make) => {
    for (;;) {
      try {
        return await make();
      } catch (error) {
        if (!(error instanceof Refused && error.type === "unauthorized")) throw error;
        why(error.message);
        if (!(await unlock())) throw error;
      }
    }
  };
  return { ask, unlock };
}

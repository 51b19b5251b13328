// The form: what is asked, and how. Keys stay in their fields unless the person wants them kept
// for this tab; then they are in sessionStorage, which goes when the tab goes.

import { collectionIn } from "./collections.js";
import { inHeader } from "./server.js";

const $ = (id) => document.getElementById(id);
const KEPT = ["api-key", "access-secret"];

/** The request as the form says it: `{ body }`, or `{ complaint }` when it makes no sense. */
export function request() {
  const value = (id) => $(id).value.trim();
  const query = value("query");
  if (!query) return complain("query", "Write a question first.");
  const body = { query, stream: true };
  const model = value("model");
  if (model && !/^[\w.-]+:\S+$/.test(model)) {
    return complain("model", "Write a model as provider:name, such as openai:gpt-6-luna.");
  }
  if (model) body.model = model;
  if (value("api-key")) body.apiKey = value("api-key");
  if (value("access-secret")) body.accessSecret = value("access-secret");
  const budget = amount("budget");
  const isTokens = value("unit") === "tokens";
  if (budget !== null && !(budget > 0 && (!isTokens || Number.isInteger(budget)))) {
    return complain("budget", isTokens ? "A budget in tokens must be a whole number above 0." : "A budget must be a number above 0.");
  }
  if (budget !== null) body.budget = { [value("unit")]: budget };
  const iterations = amount("iterations");
  if (iterations !== null && !(Number.isInteger(iterations) && iterations >= 1 && iterations <= 50)) {
    return complain("iterations", "Iterations must be a whole number from 1 to 50.");
  }
  if (iterations !== null) body.max_iterations = iterations;
  if (value("look-in")) body.sources = value("look-in").split(" ");
  if (looksInDocuments() && value("collection")) body.collection = value("collection");
  if ($("verify").checked) body.verify_with_model = true;
  return { body };
}

function looksInDocuments() {
  return $("look-in").value.includes("knowledge");
}

/** Who asks, as the form says it. */
function identity() {
  const secret = inHeader($("access-secret").value);
  return secret ? { authorization: `Bearer ${secret}` } : {};
}

function complain(field, message) {
  return { complaint: { field, message } };
}

/** A number field: null when empty, NaN when it holds no number. */
function amount(id) {
  const field = $(id);
  if (field.validity.badInput) return Number.NaN;
  return field.value === "" ? null : Number(field.value);
}

/** What is kept of a field for this tab; sets it, or forgets it. Where nothing may be kept, nothing is. */
function kept(id, value) {
  try {
    if (value === undefined) return sessionStorage.getItem(id);
    if (value) sessionStorage.setItem(id, value);
    else sessionStorage.removeItem(id);
  } catch {
    // Whoever blocks it is asked again.
  }
  return null;
}

/** Keeps the keys for this tab, or forgets them, as the person wishes. */
export function remember() {
  for (const id of KEPT) {
    kept(id, $("keep").checked ? $(id).value : "");
  }
}

/** Restores what was kept, and tells of each change. */
export function fields(onChange) {
  for (const id of KEPT) {
    const before = kept(id);
    if (before) {
      $(id).value = before;
      $("keep").checked = true;
    }
  }
  $("keep").addEventListener("change", remember);
  const showCollection = collectionIn($("collection-line"), looksInDocuments, identity);
  $("options").addEventListener("input", () => {
    showCollection();
    onChange();
  });
  onChange();
}

/** What differs from the defaults, in a line; never a key itself. */
export function chosen() {
  const value = (id) => $(id).value.trim();
  const budget = value("budget") && (value("unit") === "usd" ? `$${value("budget")}` : `${value("budget")} tokens`);
  const iterations = value("iterations") && `${value("iterations")} iterations`;
  const key = value("api-key") && "own key";
  const { selectedOptions: [looksIn] } = $("look-in");
  const collection = looksInDocuments() && value("collection");
  const verified = $("verify").checked && "doubtful citations rechecked";
  return [value("model"), key, budget, iterations, value("look-in") && looksIn.textContent, collection && `collection ${collection}`, verified].filter(Boolean).map((each) => ` · ${each}`).join("");
}

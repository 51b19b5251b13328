// What a run's events and its record say, in words for people. Pure.

import { capital, clockTime, count, dollars, sentence } from "../words.js";

function word(words, key) {
  return Object.hasOwn(words, key) ? words[key] : "";
}

/** Where a run stands, in a word. */
export function status(phase) {
  return word(STATUS, phase) || "Unknown";
}

const STATUS = {
  loading: "Loading", queued: "Queued", running: "Running", waiting: "Waiting",
  completed: "Completed", failed: "Failed", aborted: "Aborted",
};

/** Where a question stands, and why. */
export function nodeState({ state, reason, doing, visits }) {
  const why = word(REASONS, reason);
  if (state === "running") return doing ? `In progress: ${doing}` : "In progress";
  if (state === "pending") return visits ? "To be continued" : "Not started yet";
  return [state === "resolved" ? "Answered" : "Open", why].filter(Boolean).join(": ");
}

const REASONS = {
  direct: "by its own evidence",
  children: "by its sub-questions",
  depth: "the limit on depth is reached",
  policy: "the limit on questions or sources is reached",
  no_gain: "searching found nothing new",
  duplicate: "its sub-questions are already asked elsewhere",
  budget: "the budget is used up",
  timeout: "the time is up",
  error: "a step failed",
  aborted: "the run was aborted",
};

/** A question and all that is to be heard of it in the tree. */
export function heard(node) {
  const facts = [nodeState(node)];
  if (node.score !== null) facts.push(`score ${node.score.toFixed(2)}`);
  if (node.findings.length) facts.push(count(node.findings.length, "finding"));
  if (node.conflicts.length) facts.push(count(node.conflicts.length, "conflict"));
  return `${sentence(node.question)} ${facts.join(", ")}.`;
}

/** What a query brought, or why it was not asked. */
export function brought({ rule, attempt, results, passages, error, sameAs, age, fromRun }) {
  if (rule === "cached") return `not asked again: the same as “${sameAs}”, ${clockTime(age)} ago${fromRun ? ", by another of your runs" : ""}`;
  const why = rule === "broadened" ? `broader, attempt ${attempt}` : word(RULES, rule);
  if (error) return [why, `failed: ${error}`].filter(Boolean).join(", ");
  return [why, count(results, "result"), count(passages, "new passage")].filter(Boolean).join(", ");
}

const RULES = {
  time_sensitive: "again, as the answer changes with time",
  recheck: "again, to check it",
  stale: "again, as what is kept is too old",
  failed_before: "again, as it failed before",
  more_results: "again, for more results",
};

/** Who speaks in a source. */
export function tier(number) {
  return `Tier ${number}${word({ 1: ": official or primary", 2: ": reputable secondary", 3: ": other" }, String(number))}`;
}

/** What a run waits for: a title. */
export function waitsFor({ reason }) {
  return word(WAITS, reason) || "The run is waiting";
}

const WAITS = {
  rate_limit: "The run is waiting for its provider",
  needs_key: "The run needs an API key",
  budget: "The budget is used up",
  provider_down: "No search service could be reached",
  policy_changed: "The server’s policies have changed since the run started",
};

/** Why a run was cut short. */
export function cutShort(reason) {
  return word({ timeout: "its time was up", budget: "its budget was used up" }, reason) || "research was cut short";
}

/** What was judged of a round. */
export function judged({ stop, sufficient }) {
  const why = word(STOPS, stop) || (stop ? stop : "another round is worthwhile");
  return sufficient && stop !== "sufficient" ? `The task is answered; ${why}` : capital(why);
}

const STOPS = {
  sufficient: "the task is answered",
  no_progress: "the last round found nothing new",
  bounds: "a limit is reached",
  not_material: "nothing still open could change the conclusion",
};

/** A sum of money, with what is not known of it. */
export function cost({ usd, known, unsettled }) {
  const lost = unsettled ? `, and ${count(unsettled, "call")} of unknown cost` : "";
  return `${dollars({ usd, known })}${lost}`;
}

/** The address of a page at the place of these words. As many words as passages have, at each end. */
export function placed(url, quote) {
  const words = quote.trim().split(/\s+/u).filter(Boolean);
  const bare = url.split("#")[0];
  if (!words.length) return bare;
  const encode = (part) => encodeURIComponent(part.join(" ")).replace(/[-!'()*~._]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const ends = words.length <= 2 * ENDS ? [words] : [words.slice(0, ENDS), words.slice(-ENDS)];
  return `${bare}#:~:text=${ends.map(encode).join(",")}`;
}

const ENDS = 5;

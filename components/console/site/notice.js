// What to tell a person when an ask waits, was stopped or failed, and what they can do about it.

import { make } from "./dom.js";

/** By the error's type: a title, a sentence where the server's own is not enough, the ways on. */
const FAILURES = {
  missing_key: ["An API key is needed", "", ["options:api-key", "retry"]],
  no_credit: ["The provider’s account has no credit", "", ["options:api-key", "retry"]],
  unauthorized: ["This server wants its access secret", "", ["options:access-secret"]],
  forbidden: ["You may not ask here", "Ask whoever runs this server to let you in.", []],
  budget_exceeded: ["The budget is too small", "", ["options:budget"]],
  invalid_field: ["The request does not fit", "", ["options:model"]],
  rate_limited: ["Too many asks in a short time", "", ["retry"]],
  interrupted: ["The ask was interrupted", "What was found is kept. Resume to go on from there.", ["resume"]],
  bad_continuation: ["This ask cannot be resumed", "Ask again from the beginning.", ["retry"]],
  not_found: ["This ask is no longer kept", "Ask again to get a fresh answer.", ["retry"]],
  unreachable: ["Quarry cannot be reached", "Check that it runs and that you are online, then try again.", ["retry"]],
  lost: ["The connection is lost", "The ask goes on without this page. Join it again when you are back online.", ["rejoin"]],
};

const LABELS = { retry: "Ask again", resume: "Resume", rejoin: "Join again", "options:api-key": "Enter a key",
  "options:access-secret": "Enter the secret", "options:budget": "Change the budget", "options:model": "Open options" };

/** Fills the notice, or hides it when there is nothing to say. */
export function notice({ phase, pause, wait, failure, resume }, element) {
  const parts = phase === "running" && pause ? paused(pause) : phase === "waiting" ? waiting(wait) : phase === "stopped" ? stopped(resume) : phase === "failed" ? failed(failure) : [];
  element.hidden = !parts.length;
  element.dataset.kind = phase === "running" ? "waiting" : phase;
  if (phase === "failed") element.setAttribute("role", "alert");
  else element.removeAttribute("role");
  element.replaceChildren(...parts);
}

function waiting({ message }) {
  const line = countdown("The provider’s rate limit is reached. Goes on by itself in ");
  return [line, ...sentences(message), buttons(["now"])];
}

/** The server waits and tries again by itself: there is nothing to press. */
function paused({ why, message }) {
  const what = why === "rate_limit" ? "The provider asks to wait." : "The provider failed.";
  return [countdown(`${what} Tries again in `), ...sentences(message)];
}

function countdown(words) {
  const line = make("p", "title", words);
  const time = make("span", "time");
  time.id = "countdown";
  time.setAttribute("role", "timer");
  line.append(time);
  return line;
}

function stopped(resume) {
  return [make("p", "title", "Stopped. What was found so far is below."), ...(resume ? [buttons(["resume"])] : [])];
}

function failed({ type, message, wait }) {
  const [title, advice, actions] = FAILURES[type] ?? ["This did not work", "", ["retry"]];
  const when = typeof wait === "number" && wait > 0 ? `Try again in ${Math.ceil(wait)} s.` : "";
  return [make("p", "title", title), ...sentences(message, advice, when), buttons(actions)];
}

function sentences(...texts) {
  return texts.filter(Boolean).map((each) => make("p", "", each));
}

function buttons(actions) {
  const row = make("div", "actions");
  for (const action of actions) {
    const button = make("button", "", action === "now" ? "Go on now" : LABELS[action]);
    button.type = "button";
    button.dataset.action = action;
    row.append(button);
  }
  return row;
}

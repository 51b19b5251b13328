// What to tell a person when an ask waits, was stopped or failed, and what they can do about it.

import { make } from "./dom.js";

/** By the error's type: a title, a sentence where the server's own is not enough, the ways on. */
const FAILURES = {
  missing_key: ["An API key is needed", "", ["options:api-key", "retry"]],
  no_credit: ["The provider’s account has no credit", "", ["options:api-key", "retry"]],
  key_refused: ["The provider refuses the key", "Enter one that it takes.", ["options:api-key", "retry"]],
  unauthorized: ["This server needs its access secret", "", ["options:access-secret"]],
  forbidden: ["You do not have access to this server", "Ask whoever runs it for access.", []],
  budget_exceeded: ["The budget is too small", "", ["options:budget"]],
  invalid_field: ["A setting is not valid", "", ["options:model"]],
  rate_limited: ["Too many questions in a short time", "Wait a moment, then ask again.", ["retry"]],
  interrupted: ["The research was interrupted", "What was found is kept. Resume to continue from there.", ["resume"]],
  bad_continuation: ["This question cannot be resumed", "Ask it again from the beginning.", ["retry"]],
  not_followed: ["The answer before is no longer stored", "Ask without it, and say in the question what it is about.", ["alone"]],
  not_found: ["This answer is no longer stored", "Ask again to get a new one.", ["retry"]],
  forgotten: ["This answer is no longer stored", "Its address does not tell the question. Write it once more to get a new answer.", []],
  unreachable: ["Quarry cannot be reached", "Check that it runs and that you are online, then try again.", ["retry"]],
  lost: ["The connection is lost", "The research continues on the server. Reconnect when you are online again.", ["rejoin"]],
};

const LABELS = { retry: "Ask again", alone: "Ask without it", resume: "Resume", rejoin: "Reconnect", "options:api-key": "Enter a key",
  "options:access-secret": "Enter the secret", "options:budget": "Change the budget", "options:model": "Open options" };

/** Fills the notice, or hides it when there is nothing to say. */
export function notice(state, element) {
  const { phase } = state;
  const parts = told(state);
  element.hidden = !parts.length;
  element.dataset.kind = phase === "running" ? "waiting" : phase;
  if (phase === "failed") element.setAttribute("role", "alert");
  else element.removeAttribute("role");
  element.replaceChildren(...parts);
}

function told(state) {
  const { phase, pause, wait, failure, resume } = state;
  switch (phase) {
    case "running": return pause ? paused(pause) : [];
    case "waiting": return waiting(wait);
    case "stopped": return stopped(state);
    case "failed": return failed(failure, resume);
    default: return [];
  }
}

function waiting({ message }) {
  const line = countdown("The provider’s rate limit has been reached. It continues by itself in ");
  return [line, ...sentences(message), buttons(["now"])];
}

/** The server waits and tries again by itself: there is nothing to press. */
function paused({ why, message }) {
  const what = why === "rate_limit" ? "The provider asks for a pause." : "The provider failed.";
  return [countdown(`${what} Trying again in `), ...sentences(message)];
}

function countdown(words) {
  const line = make("p", "title", words);
  const time = make("span", "time");
  time.id = "countdown";
  time.setAttribute("role", "timer");
  line.append(time);
  return line;
}

function stopped({ resume, answer, sources, calls, questions }) {
  const hasFound = answer || sources.length || calls.length || questions.length;
  const words = hasFound ? "Stopped. What was found so far is below." : "Stopped. Nothing was found yet.";
  return [make("p", "title", words), ...(resume ? [buttons(["resume"])] : [])];
}

function failed({ type, message, wait }, resume) {
  const [title, advice, ways] = Object.hasOwn(FAILURES, type) ? FAILURES[type] : ["This did not work", "", ["retry"]];
  // Whoever can go on need not begin anew.
  const actions = resume ? [...ways.filter((way) => way !== "retry" && way !== "resume"), "resume"] : ways;
  const when = typeof wait === "number" && wait > 0 ? `Try again in ${Math.ceil(wait)} s.` : "";
  return [make("p", "title", title), ...sentences(message, advice, when), buttons(actions)];
}

function sentences(...texts) {
  return texts.filter(Boolean).map((each) => make("p", "", each));
}

function buttons(actions) {
  const row = make("div", "actions");
  for (const action of actions) {
    const button = make("button", "", action === "now" ? "Continue now" : LABELS[action]);
    button.type = "button";
    button.dataset.action = action;
    row.append(button);
  }
  return row;
}

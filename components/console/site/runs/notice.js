// What to tell a person of a run that waits, has ended early or is gone, and what they can do about it.

import { clockTime, sentence, when } from "../words.js";
import { make } from "../dom.js";
import { cutShort, waitsFor } from "./sentences.js";

const LABELS = { resume: "Resume…", now: "Try now", key: "Enter a key…", join: "Reconnect", home: "All runs", unlock: "Enter the secret" };

/** The notice of a run that stands so: `{ kind, parts }`, or null where there is nothing to say. */
export function noticeOf(phase, { record, message, partial, reason, trouble }, waiting) {
  if (trouble) return troubled(trouble);
  const isPartial = partial || record?.partial === true;
  switch (phase) {
    case "waiting":
      return waitsSo(waiting ?? {});
    case "failed":
      return { kind: "failed", parts: [title("The run failed"), ...sentences(message || record?.message, "What it found is kept."), buttons(["resume"])] };
    case "aborted":
      return { kind: "waiting", parts: [title("The run was aborted"), ...sentences("What it found is kept."), buttons(["resume"])] };
    case "completed":
      return isPartial ? { kind: "waiting", parts: [title("The report is partial"), ...sentences(`Research was not finished, because ${cutShort(reason || record?.reason)}. Fork the run with higher limits to continue.`)] } : null;
    default:
      return null;
  }
}

function waitsSo(waiting) {
  const line = title(waitsFor(waiting));
  const parts = [line, ...sentences(waiting.hint)];
  if (waiting.until) {
    const until = make("p", "", `It continues by itself at ${when(waiting.until)}, in `);
    const time = until.appendChild(make("span", "time"));
    time.id = "countdown";
    time.setAttribute("role", "timer");
    parts.push(until);
  } else parts.push(...sentences(Object.hasOwn(NEEDS, waiting.reason) ? NEEDS[waiting.reason] : "Resume the run to continue"));
  const actions = waiting.until ? ["now", "resume"] : [waiting.reason === "needs_key" ? "key" : "resume"];
  return { kind: "waiting", parts: [...parts, buttons(actions)] };
}

/** What a run needs to go on, where it is more than being resumed. */
const NEEDS = {
  needs_key: "Enter a key to continue",
  budget: "Resume the run with a larger budget to continue",
};

const TROUBLES = {
  gone: ["There is no such run", "It was deleted, belongs to somebody else, or its address is incomplete.", ["home"]],
  lost: ["The connection is lost", "The run continues on the server. Reconnect when you are online again.", ["join"]],
  unreachable: ["Quarry cannot be reached", "Check that it runs and that you are online, then try again.", ["join"]],
  unauthorized: ["This server needs its access secret", "", ["unlock"]],
};

function troubled({ type, message }) {
  const known = Object.hasOwn(TROUBLES, type) ? TROUBLES[type] : ["This did not work", "", ["join"]];
  const [words, advice, actions] = known;
  return { kind: "failed", parts: [title(words), ...sentences(message, advice), buttons(actions)] };
}

/** Shows the time until a run goes on. */
export function drawCountdown(until, now) {
  const element = document.getElementById("countdown");
  if (element && until) element.textContent = clockTime((Date.parse(until) - now) / 1000);
}

function title(words) {
  return make("p", "title", words);
}

function sentences(...texts) {
  return texts.filter(Boolean).map((each) => make("p", "", sentence(each)));
}

function buttons(actions) {
  const row = make("div", "actions");
  for (const action of actions) {
    const button = make("button", "", LABELS[action]);
    button.type = "button";
    button.dataset.action = action;
    row.append(button);
  }
  return row;
}

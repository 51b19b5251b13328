// What a screen reader hears of an answer that is being written: whole paragraphs, each once.

import { shares, spoken, tally } from "./citations.js";
import { count } from "./words.js";

/** Returns a function that speaks what is new in a state, in a live region. */
export function speaker(region) {
  let said = 0;
  let phase = "idle";
  return (state) => {
    if (!state.answer) said = 0;
    const { answer, citations } = state;
    const heard = (end) => spoken(answer.slice(0, end), citations);
    const end = state.final || !state.writing ? answer.length : answer.lastIndexOf("\n\n");
    const parts = [];
    if (state.format === "json") {
      if (state.final && end > said) {
        parts.push("The answer is JSON, for a program.");
        said = end;
      }
    } else if (end > said) {
      // In places of the answer: what is heard of a citation changes when it is judged again.
      parts.push(heard(end).slice(heard(said).length));
      said = end;
    }
    if (state.phase !== phase) parts.push(turn(state));
    phase = state.phase;
    const words = parts.filter(Boolean).map(plain).join("\n");
    if (words) region.textContent = words;
  };
}

function turn({ phase, wait, sources, citations, proof }) {
  if (phase === "waiting") return `Rate limit. It continues by itself in ${Math.ceil(wait.seconds)} seconds.`;
  if (phase === "done") {
    const checked = citations.length ? shares(tally(citations, proof)).map(([, words]) => words) : [];
    return `The answer is complete. ${[count(sources.length, "source"), ...checked].join(", ")}.`;
  }
  return "";
}

/** Markdown as it is spoken: labels without addresses, no marks. */
function plain(markdown) {
  return markdown.replace(/\]\([^()]{0,2000}\)/g, "]").replace(/[*_`#>[\]|~]/g, "").trim();
}

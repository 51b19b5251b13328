// What an answer rests on as a whole: the share of its sentences that are verified, how far it can be relied on,
// where its sources contradict each other.

import { shares, tally } from "./citations.js";
import { conflict } from "./conflict.js";
import { make } from "./dom.js";
import { count } from "./words.js";

/** Shows it in an element, or hides that where there is nothing to say. */
export function proof({ citations, proof: of }, element) {
  const counts = tally(citations, of);
  const isChecked = of !== null && Object.values(counts).some((count) => count > 0);
  const parts = of === null ? [] : [
    ...(isChecked ? [bar(counts), legend(counts)] : []),
    confidence(of.confidence),
    removed(of),
    unchecked(of),
    ...disagreements(of.conflicts),
  ].filter(Boolean);
  element.hidden = !parts.length;
  element.replaceChildren(...parts);
}

/** The shares of the sentences: citations that failed are none. */
function bar({ failed: _, ...sentences }) {
  const element = make("div", "shares");
  element.setAttribute("aria-hidden", "true");
  for (const [kind, count] of Object.entries(sentences)) {
    if (!count) continue;
    const part = make("span");
    part.dataset.verdict = kind;
    part.style.flexGrow = String(count);
    element.append(part);
  }
  return element;
}

function legend(counts) {
  const list = make("ul", "legend");
  list.append(...shares(counts).map(([kind, words]) => {
    const item = make("li", "", words);
    item.dataset.verdict = kind;
    return item;
  }));
  return list;
}

function confidence(value) {
  if (!value) return null;
  const line = make("p", "", "Confidence ");
  line.append(make("strong", "", value.level), ` (${value.score.toFixed(2)} of 1)`);
  return line;
}

function removed({ unknown: names, unnamed }) {
  if (!names.length) return null;
  const more = unnamed ? ` and ${unnamed} more` : "";
  return make("p", "", `Removed, because no source has it: ${names.join(", ")}${more}`);
}

function unchecked({ unchecked: left }) {
  return left ? make("p", "", `Not checked: ${count(left, "citation")}, because the answer has too many of them`) : null;
}

function disagreements(conflicts) {
  if (!conflicts.length) return [];
  const list = make("ul", "conflicts");
  list.append(...conflicts.map(conflict));
  return [make("h3", "", "Where sources disagree"), list];
}

// A passage of a document, as it is found and as it stands. What it says comes from outside and is text only.

import { make } from "../dom.js";
import { texts } from "../words.js";

/** Where the page shows a passage. */
export function placeOf({ document, number }) {
  return `#${document}.${number}`;
}

/** The headings above a passage, and its page where it has one. */
export function where({ headings, page }) {
  return [texts(headings, []).join(" › "), page ? `page ${page}` : ""].filter(Boolean).join(" · ");
}

/** A passage that was found, with what its score is made of. */
export function found(chunk) {
  const { metadata, score, parts } = chunk;
  const element = make("li");
  const link = make("a", "title", chunk.title);
  link.href = placeOf(chunk);
  link.dir = "auto";
  element.append(link);
  const facts = [where(chunk), metadata?.source_org, metadata?.updated ?? metadata?.published].filter(Boolean);
  if (facts.length) element.append(make("small", "", facts.join(" · ")));
  element.append(words(chunk.text), scores({ score, ...parts }));
  return element;
}

/** A passage in its document. */
export function standing(chunk) {
  const element = make("li");
  element.id = `chunk-${chunk.number}`;
  element.tabIndex = -1;
  const place = where(chunk);
  if (place) element.append(make("small", "", place));
  element.append(words(chunk.text));
  return element;
}

function words(text) {
  const element = make("blockquote", "", text);
  element.dir = "auto";
  return element;
}

function scores(parts) {
  const list = make("dl", "scores");
  for (const [name, value] of [["Score", parts.score], ["Words", parts.lexical], ["Meaning", parts.meaning]]) {
    if (typeof value !== "number") continue;
    const box = make("div");
    const bar = make("span", "share");
    bar.style.setProperty("--share", String(Math.min(Math.max(value, 0), 1)));
    bar.setAttribute("aria-hidden", "true");
    box.append(make("dt", "", name), make("dd", "", value.toFixed(2)), bar);
    list.append(box);
  }
  return list;
}

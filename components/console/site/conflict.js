// Two sources that contradict each other, as an item of a list.

import { anchor } from "./markdown.js";
import { host } from "./words.js";
import { make } from "./dom.js";

const DIFFERENCES = { number: "On a number", date: "On a date", polarity: "On whether it is true" };
const REASONS = {
  primary: "The first is believed: it alone is a primary source.",
  newer: "The first is believed: it is newer.",
  corrected: "The first is believed: it corrects the other.",
};

/** What both say, and who is believed, or who explains it. */
export function conflict({ difference, one, other, reason, explaining }) {
  const item = make("li");
  const open = explaining ? "Both may be right: another source explains what each means." : "Nothing settles which of them is right.";
  const words = Object.hasOwn(REASONS, reason) ? REASONS[reason] : open;
  const what = Object.hasOwn(DIFFERENCES, difference) ? DIFFERENCES[difference] : "They differ";
  item.append(make("p", "what", what), side(one), side(other), make("p", "", words));
  if (explaining) item.append(side(explaining));
  return item;
}

function side({ url, title, date, quote, tier }) {
  const figure = make("figure");
  const words = make("blockquote", "", quote);
  words.dir = "auto";
  const link = anchor(url) ?? make("span");
  link.textContent = title;
  const caption = make("figcaption");
  // Documents of one's own are at no host.
  const facts = [url.startsWith("/") ? "" : host(url), date || "no date", tier && `${tier} source`].filter(Boolean).join(" · ");
  caption.append(link, make("small", "", facts));
  figure.append(words, caption);
  return figure;
}

// The research as a list: iterations, and in each the model's own words and its tool calls with
// what they brought.

import { anchor } from "./markdown.js";
import { describe, outcome } from "./state.js";
import { brief, duration, host, inWords } from "./words.js";
import { make } from "./dom.js";

const PREVIEW = 1200;
const shown = new WeakMap();

/** Shows them in an element; what is there already and has not changed stays as it is. */
export function timeline(thoughts, calls, element) {
  const number = ({ iteration: at }) => at ?? 1;
  const entries = [...thoughts, ...calls].sort((a, b) => number(a) - number(b));
  const iterations = Map.groupBy(entries, number);
  const items = [...iterations].map(([number, group], at) => {
    const before = element.children[at];
    const item = before?.dataset.iteration === String(number) ? before : iteration(number);
    fill(group, item.querySelector("ul"));
    return item;
  });
  if (items.some((item, at) => item !== element.children[at]) || items.length !== element.children.length) {
    element.replaceChildren(...items);
  }
}

function iteration(number) {
  const item = make("li");
  item.dataset.iteration = number;
  item.append(make("h3", "", `Iteration ${number}`), make("ul"));
  return item;
}

function fill(entries, ul) {
  entries.forEach((entry, at) => {
    const before = ul.children[at];
    if (before && shown.get(before) === entry) return;
    const open = before?.querySelector("details")?.open;
    const item = entry.kind === "thought" ? thoughtItem(entry, open) : callItem(entry, open);
    shown.set(item, entry);
    if (before) replace(before, item);
    else ul.append(item);
  });
  while (ul.children.length > entries.length) ul.lastElementChild.remove();
}

/** The model's own words: their beginning, and all of them when there are more. */
function thoughtItem({ title, text }, open) {
  const item = make("li", "thought");
  if (!text || text === title) {
    item.append(make("p", "", title || text));
    return item;
  }
  const details = make("details");
  details.open = open === true;
  details.append(make("summary", "", title || brief(text, 80)), make("p", "", brief(text, PREVIEW)));
  item.append(details);
  return item;
}

/** Keeps the focus where it was. */
function replace(before, item) {
  const hadFocus = before.contains(document.activeElement);
  before.replaceWith(item);
  if (hadFocus) item.querySelector("summary")?.focus();
}

function callItem(call, open) {
  const item = make("li", "call");
  item.dataset.state = call.state;
  const facts = [outcome(call), duration(call.duration)].filter(Boolean).join(" · ");
  const parts = [make("span", "what", describe(call)), make("span", "facts", facts)];
  const details = make("details");
  details.open = open === true;
  const summary = details.appendChild(make("summary"));
  summary.append(...parts);
  details.append(preview(call));
  item.append(details);
  return item;
}

function preview({ name, args, result, state }) {
  const box = make("div", "preview");
  if (name === "execute_javascript" && args?.code) box.append(make("pre", "", brief(String(args.code), PREVIEW)));
  if (result?.error !== undefined) box.append(make("p", "bad", inWords(result.error)));
  else if (Array.isArray(result?.results)) box.append(results(result.results));
  else if (typeof result?.content === "string") box.append(page(result));
  else if (result) box.append(make("pre", "", brief(inWords(result.result ?? result.text ?? result), PREVIEW)));
  else box.append(make("p", "quiet", state === "running" ? "No result yet." : "It did not finish."));
  if (!(name in PLAIN) && args) box.prepend(make("pre", "", brief(inWords(args), PREVIEW)));
  return box;
}

/** Tools whose arguments stand in the summary or the preview. */
const PLAIN = { search_web: 1, search_knowledge: 1, scrape_web_content: 1, execute_javascript: 1 };

function results(list) {
  const ul = make("ul", "results");
  for (const { title, url, description, error } of list) {
    const item = make("li");
    const link = anchor(url) ?? make("span");
    link.textContent = title || url || "untitled";
    item.append(link, make("small", "", host(url)));
    const words = error ?? description;
    if (words) item.append(make("p", "", brief(inWords(words), 240)));
    ul.append(item);
  }
  if (!list.length) ul.append(make("li", "quiet", "Nothing was found."));
  return ul;
}

function page({ title, author, date, content }) {
  const box = make("div");
  const about = [title, author, date].filter((each) => typeof each === "string" && each).join(" · ");
  if (about) box.append(make("p", "about", about));
  box.append(make("pre", "", brief(content, PREVIEW)));
  return box;
}

// The quotation that a citation rests on, open beside the answer. One at a time; what it shows comes from web
// pages and is text only.

import { VERDICT, findings } from "./citations.js";
import { anchor } from "./markdown.js";
import { host } from "./state.js";
import { make } from "./dom.js";

const BESIDE = matchMedia("(min-width: 68rem)");

/**
 * Lets the markers in an element open their quotations. Returns a function that is told the citations whenever
 * the answer was drawn: what is open stays open for as long as its marker is there.
 */
export function quotations(answer) {
  let citations = [];
  let open = null;
  const marker = () => open && answer.querySelector(`[data-citation="${open.at}"]`);

  const close = () => {
    const from = marker();
    const hadFocus = open?.panel.contains(document.activeElement);
    from?.setAttribute("aria-expanded", "false");
    open?.panel.remove();
    open = null;
    if (hadFocus) from?.focus({ preventScroll: true });
  };
  const show = (from) => {
    const at = from.dataset.citation;
    close();
    open = { at, of: citations[at], panel: panel(citations[at]) };
    put(open.panel, from, answer);
    open.panel.focus({ preventScroll: true });
    open.panel.scrollIntoView({ block: "nearest" });
  };

  answer.addEventListener("click", (event) => {
    const from = event.target.closest("[data-citation]");
    if (from) return from.dataset.citation === open?.at ? close() : show(from);
    if (event.target.closest(".quotation .close")) close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !open || event.isComposing) return;
    event.preventDefault();
    close();
  });
  new ResizeObserver(() => marker() && put(open.panel, marker(), answer)).observe(answer);

  return (now) => {
    citations = now;
    if (!open) return;
    const from = marker();
    if (!from || JSON.stringify(citations[open.at]) !== JSON.stringify(open.of)) return close();
    put(open.panel, from, answer);
  };
}

/** Puts it behind the block of its marker; where there is room, the style moves it beside that. */
function put(element, from, answer) {
  from.setAttribute("aria-expanded", "true");
  from.setAttribute("aria-controls", element.id);
  const block = from.closest("p, li, .table, h3, h4, h5, h6");
  const inner = block.localName === "li" ? block.querySelector(":scope > :is(ul, ol)") : null;
  // It is moved only when it has to be: that would take the focus and the selection from it.
  if (block.localName !== "li") {
    if (block.nextElementSibling !== element) block.after(element);
  } else if (inner) {
    if (inner.previousElementSibling !== element) inner.before(element);
  } else if (element.parentElement !== block) block.append(element);
  const top = from.getBoundingClientRect().top - answer.getBoundingClientRect().top;
  element.style.top = BESIDE.matches ? `${Math.round(top)}px` : "";
}

function panel(citation) {
  const { n, url, title, quote, verdict } = citation;
  const element = make("aside", "quotation");
  Object.assign(element, { id: "quotation", tabIndex: -1 });
  element.dataset.verdict = verdict;
  element.setAttribute("role", "dialog");
  element.setAttribute("aria-labelledby", "quotation-title");
  const head = make("p", "head");
  const name = make("bdi", "title", n === null ? title : `${n} · ${title}`);
  name.id = "quotation-title";
  const close = make("button", "plain close");
  close.type = "button";
  close.setAttribute("aria-label", "Close the quotation");
  close.append(make("span", "", "×"));
  head.append(name, close);
  const words = make("blockquote", "", quote);
  words.dir = "auto";
  const [says, ...more] = findings(citation);
  const verdictLine = make("p", "verdict");
  const word = VERDICT[verdict];
  verdictLine.append(make("strong", "", `${word[0].toUpperCase()}${word.slice(1)}.`), ` ${says}`);
  element.append(head, verdictLine);
  if (quote) element.append(words);
  element.append(...more.map((each) => make("p", "finding", each)));
  const place = anchor(url);
  if (place) {
    place.textContent = "Open at this place";
    const line = make("p", "place");
    line.append(place, make("small", "", host(url)));
    element.append(line);
  }
  return element;
}

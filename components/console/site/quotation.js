// The quotation that a citation rests on, open beside the answer. One at a time; what it shows comes from web
// pages and is text only.

import { VERDICT, findings } from "./citations.js";
import { anchor } from "./markdown.js";
import { host } from "./words.js";
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
    const of = citations[open.at];
    if (!from || !of || SHOWN.some((field) => of[field] !== open.of[field])) return close();
    if (JSON.stringify(of) !== JSON.stringify(open.of)) judge(open.panel, of);
    open.of = of;
    put(open.panel, from, answer);
  };
}

/** What makes a citation the one that was opened; all else is what was found of it, and may be found anew. */
const SHOWN = ["n", "url", "title", "quote", "start", "end"];

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
  const { n, url, title, quote } = citation;
  const element = make("aside", "quotation");
  Object.assign(element, { id: "quotation", tabIndex: -1 });
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
  const verdict = make("p", "verdict");
  verdict.setAttribute("aria-live", "polite");
  element.append(head, verdict);
  if (quote) element.append(words);
  const place = anchor(url);
  if (place) {
    // A document may be changed later: its page looks for what was quoted, and shows that.
    if (quote && url.startsWith("/")) place.hash += `~${encodeURIComponent(quote)}`;
    place.textContent = "Open at this place";
    const line = make("p", "place");
    // Documents of one's own are at no host.
    line.append(place, make("small", "", url.startsWith("/") ? "" : host(url)));
    element.append(line);
  }
  judge(element, citation);
  return element;
}

/** Shows what was found of a citation; all else in its panel stays, with the focus and the selection. */
function judge(element, citation) {
  const { verdict } = citation;
  const [says, ...more] = findings(citation);
  const word = VERDICT[verdict];
  const line = element.querySelector(".verdict");
  element.dataset.verdict = verdict;
  line.replaceChildren(make("strong", "", `${word[0].toUpperCase()}${word.slice(1)}.`), ` ${says}`);
  for (const each of element.querySelectorAll(".finding")) each.remove();
  (element.querySelector("blockquote") ?? line).after(...more.map((each) => make("p", "finding", each)));
}

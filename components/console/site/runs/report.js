// The report of a run: as it is written, and then with the places that its citations rest on.

import { citation } from "../evidence.js";
import { render } from "../markdown.js";
import { quotations } from "../quotation.js";
import { make } from "../dom.js";
import { list } from "../words.js";

const SECTION = /^## (\d+)\. .*$\n*/gm;

/**
 * The citations of a report in Markdown, in its order. What is told of them counts the code points of their section,
 * here they count those of the whole.
 */
export function citationsOf(markdown, claims) {
  const starts = new Map();
  let [unit, point] = [0, 0];
  for (const found of markdown.matchAll(SECTION)) {
    const from = found.index + found[0].length;
    point += [...markdown.slice(unit, from)].length;
    unit = from;
    starts.set(Number(found[1]), point);
  }
  const shown = list(claims).flatMap(({ section, citations }) =>
    list(citations)
      .filter(({ start, end }) => Number.isInteger(start) && Number.isInteger(end) && starts.has(section))
      .map((each) => citation({ ...each, start: each.start + starts.get(section), end: each.end + starts.get(section) })));
  return shown.sort((one, other) => one.start - other.start);
}

/** Shows reports in an element, and the way to their sections in another. */
export function reportIn(element, outline) {
  const keepQuotation = quotations(element);
  let titles = "";
  outline.addEventListener("click", ({ target }) => {
    const heading = headings()[Number(target.closest("button")?.dataset.at)];
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: "start" });
  });
  // The title of the whole is the first.
  const headings = () => [...element.querySelectorAll(":scope > h4")];

  return {
    /** Shows a report that may still be growing; `citations` are those that are known of it. */
    draw(markdown, citations, isWriting) {
      element.classList.toggle("writing", isWriting);
      element.setAttribute("aria-busy", String(isWriting));
      render(markdown, element, citations);
      keepQuotation(citations);
      const names = headings().map((each) => each.textContent);
      if (names.join("\n") === titles) return;
      titles = names.join("\n");
      outline.querySelector("ol").replaceChildren(...names.map((name, at) => {
        const item = make("li");
        const button = item.appendChild(make("button", "plain", name));
        button.type = "button";
        button.dataset.at = at;
        return item;
      }));
    },
  };
}

// What is taken along of an answer or a report: its words, as Markdown that stands without its page, and its address.

import { standalone } from "./citations.js";
import { clock } from "./clock.js";
import { copied } from "./dom.js";
import { saved } from "./download.js";
import { anchor } from "./markdown.js";

/** A text with its citations, and the sources that are to be listed behind it. */
export function whole(text, citations, sources = []) {
  return standalone(text, citations, sources, (url) => anchor(url)?.href ?? "");
}

/**
 * Has the buttons of a group take along what `what()` tells at that time: `text`, the `shown` element that has it, and
 * for a file its `name` and what it `has`. `region` is where it is heard.
 */
export function takeIn(group, region, what) {
  const name = new WeakMap();

  async function copy(button, words, shown) {
    const isCopied = await copied(words);
    // Who may not copy for a person selects what is to be copied.
    if (!isCopied && shown) getSelection().selectAllChildren(shown);
    if (!name.has(button)) name.set(button, button.textContent);
    button.textContent = isCopied ? "Copied" : shown ? "Selected" : "Could not copy";
    region.textContent = button.textContent;
    await clock.sleep(2000);
    button.textContent = name.get(button);
  }

  group.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-take]");
    if (!button) return;
    const { text, shown, name: file, has } = what();
    switch (button.dataset.take) {
      case "link": return copy(button, location.href, null);
      case "file": return saved(new Response(has), file);
      default: return copy(button, text, shown);
    }
  });
}

// The questions of a run as a tree that is walked with the arrow keys. A question keeps its element for as long as
// the run is shown, so neither the focus nor what is folded is lost while the tree grows, and a thousand questions
// cost no more than those of them that change.

import { make } from "../dom.js";
import { count } from "../words.js";
import { heard, nodeState } from "./sentences.js";

/** A tree in an element. `onChoose(id, isByPerson)` is called whenever another question is chosen. */
export function treeIn(element, onChoose, onEnter) {
  const items = new Map();
  let nodes = new Map();
  let chosen = null;

  const itemOf = (id) => items.get(id) ?? null;
  const idOf = (item) => item?.dataset.node ?? null;
  const isOpen = (item) => item.getAttribute("aria-expanded") === "true";
  const groupOf = (item) => item.querySelector(":scope > ul");
  const parentOf = (item) => item.parentElement.closest("[role=treeitem]");

  function choose(id, { isByPerson = false, focus = false } = {}) {
    const item = itemOf(id);
    if (!item) return;
    if (chosen !== id) {
      const before = itemOf(chosen) ?? element.querySelector("[tabindex='0']");
      before?.setAttribute("aria-selected", "false");
      before?.setAttribute("tabindex", "-1");
      item.setAttribute("aria-selected", "true");
      item.tabIndex = 0;
      chosen = id;
    }
    if (focus) {
      item.focus({ preventScroll: true });
      item.firstElementChild.scrollIntoView({ block: "nearest" });
    } else if (!isByPerson) show(item.firstElementChild);
    onChoose(id, isByPerson);
  }

  /** Moves the tree, and not the page, so that a line is to be seen. */
  function show(line) {
    const [box, at] = [element.getBoundingClientRect(), line.getBoundingClientRect()];
    if (at.top < box.top) element.scrollTop -= box.top - at.top;
    else if (at.bottom > box.bottom) element.scrollTop += at.bottom - box.bottom;
  }

  function fold(item, open) {
    if (!item.hasAttribute("aria-expanded")) return;
    item.setAttribute("aria-expanded", String(open));
    groupOf(item).hidden = !open;
    if (!open && item !== itemOf(chosen) && item.contains(itemOf(chosen))) {
      choose(idOf(item), { isByPerson: true, focus: item.contains(document.activeElement) });
    }
  }

  /** The next item that is to be seen. */
  function after(item) {
    const inside = isOpen(item) && groupOf(item).firstElementChild;
    if (inside) return inside;
    for (let each = item; each; each = parentOf(each)) if (each.nextElementSibling) return each.nextElementSibling;
    return null;
  }

  function lastIn(item) {
    const last = item && isOpen(item) && groupOf(item).lastElementChild;
    return last ? lastIn(last) : item;
  }

  const before = (item) => (item.previousElementSibling ? lastIn(item.previousElementSibling) : parentOf(item));

  const KEYS = {
    ArrowDown: after,
    ArrowUp: before,
    Home: () => element.firstElementChild,
    End: () => lastIn(element.lastElementChild),
    ArrowRight(item) {
      if (!item.hasAttribute("aria-expanded")) return null;
      if (isOpen(item)) return groupOf(item).firstElementChild;
      fold(item, true);
      return item;
    },
    ArrowLeft(item) {
      if (!isOpen(item)) return parentOf(item);
      fold(item, false);
      return item;
    },
    "*"(item) {
      for (const each of item.parentElement.children) fold(each, true);
      return item;
    },
    Enter: onEnter,
    " ": onEnter,
  };

  element.addEventListener("keydown", (event) => {
    const item = event.target.closest("[role=treeitem]");
    const isMeant = item && Object.hasOwn(KEYS, event.key) && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (!isMeant) return;
    event.preventDefault();
    const next = KEYS[event.key](item);
    if (next) choose(idOf(next), { isByPerson: true, focus: true });
  });

  element.addEventListener("click", (event) => {
    const item = event.target.closest("[role=treeitem]");
    if (!item) return;
    if (event.target.closest(".twist")) fold(item, !isOpen(item));
    else choose(idOf(item), { isByPerson: true, focus: true });
  });

  function build(node) {
    const item = make("li");
    item.setAttribute("role", "treeitem");
    item.setAttribute("aria-selected", "false");
    item.tabIndex = -1;
    item.dataset.node = node.id;
    const line = make("div", "line");
    const [twist, mark, words, facts] = [make("span", "twist"), make("span", "mark"), make("span", "question"), make("span", "facts")];
    words.dir = "auto";
    line.append(twist, mark, words, facts);
    item.append(line);
    items.set(node.id, item);
    return item;
  }

  /** Puts an item below its parent, in the order in which the parts were told. */
  function put(node) {
    const item = itemOf(node.id);
    const above = node.parent === null ? null : itemOf(node.parent);
    let home = element;
    if (above) {
      home = groupOf(above) ?? above.appendChild(make("ul"));
      home.setAttribute("role", "group");
      if (!above.hasAttribute("aria-expanded")) above.setAttribute("aria-expanded", "true");
      home.hidden = !isOpen(above);
    }
    if (item.parentElement !== home) home.append(item);
  }

  function label(node) {
    const item = itemOf(node.id);
    const [, , words, facts] = item.firstElementChild.children;
    item.dataset.state = node.state;
    item.setAttribute("aria-label", heard(node));
    if (words.textContent !== node.question) words.textContent = node.question;
    const parts = [
      node.state === "running" ? node.doing : "",
      node.score === null ? "" : node.score.toFixed(2),
      node.findings.length ? count(node.findings.length, "finding") : "",
      node.conflicts.length ? count(node.conflicts.length, "conflict") : "",
    ];
    const said = parts.filter(Boolean).join(" · ") || nodeState(node);
    if (facts.textContent !== said) facts.textContent = said;
  }

  return {
    /** Shows these nodes, of which those of `changed` are new or say something else. */
    draw(all, changed) {
      nodes = all;
      for (const id of changed) if (nodes.has(id) && !items.has(id)) build(nodes.get(id));
      for (const id of changed) {
        const node = nodes.get(id);
        if (!node) continue;
        put(node);
        label(node);
      }
      if (chosen === null && element.firstElementChild) element.firstElementChild.tabIndex = 0;
    },
    choose,
    chosen: () => chosen,
    /** Puts the focus on the chosen question. */
    focus: () => (itemOf(chosen) ?? element.firstElementChild)?.focus(),
    clear() {
      items.clear();
      chosen = null;
      element.replaceChildren();
    },
  };
}

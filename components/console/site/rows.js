// Lists that are drawn again and again: what has not changed stays as it is, with the focus, the selection and what
// is open in it.

const shown = new WeakMap();

/**
 * Shows items in an element, one after the other. `build(item)` makes an element.
 * An item is built again only when what it says has changed.
 */
export function rows(element, items, build) {
  items.forEach((item, at) => {
    const says = JSON.stringify(item);
    const before = element.children[at];
    if (before && shown.get(before) === says) return;
    const fresh = build(item);
    shown.set(fresh, says);
    if (before) replace(before, fresh);
    else element.append(fresh);
  });
  while (element.children.length > items.length) element.lastElementChild.remove();
  element.hidden = items.length === 0;
}

function replace(before, fresh) {
  const { activeElement } = document;
  const inside = [...before.querySelectorAll(FOCUSED)].indexOf(activeElement);
  const open = [...before.querySelectorAll("details")].map((each) => each.open);
  before.replaceWith(fresh);
  [...fresh.querySelectorAll("details")].forEach((each, at) => { each.open = open[at] ?? each.open; });
  if (inside >= 0) fresh.querySelectorAll(FOCUSED)[inside]?.focus({ preventScroll: true });
}

const FOCUSED = "a, button, summary, input";

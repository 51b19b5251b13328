// The field of a form that says which collection of documents is searched.

import { make } from "./dom.js";
import { json } from "./server.js";

/**
 * Shows the field in `line` for as long as `isWanted()`; what is hidden says nothing. It offers the collections that there
 * are to whoever comes to it; `headers()`, if need be, say who asks. Gives what is to be called when that may have changed.
 */
export function collectionIn(line, isWanted, headers = () => ({})) {
  const field = line.querySelector("input");
  const show = () => {
    line.hidden = !isWanted();
    field.disabled = line.hidden;
  };
  field.addEventListener("focus", async () => {
    // Whoever knows the name needs no list.
    const told = await json("/knowledge/collections", { headers: headers() }).catch(() => ({}));
    const names = (told.collections ?? []).map(({ name }) => name);
    line.querySelector("datalist").replaceChildren(...names.map(offered));
  });
  show();
  return show;
}

function offered(name) {
  const option = make("option");
  option.value = name;
  return option;
}

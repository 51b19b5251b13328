// The collection that is chosen, as the address names it: a link to it and the way back lead to it.

/** The one where nothing is said. */
export const DEFAULT = "default";

/** The collection that the address names. */
export function named() {
  return new URLSearchParams(location.search).get("collection") || DEFAULT;
}

/** The address of a collection, or of a `place` on its page, which begins with `#`. */
export function addressOf(name, place = "") {
  const query = name === DEFAULT ? "" : `?${new URLSearchParams({ collection: name })}`;
  return `${location.pathname}${query}${place}`;
}

/** A part of an address as it was meant; nothing where it means nothing. */
export function unescaped(words) {
  try {
    return decodeURIComponent(words);
  } catch {
    return "";
  }
}

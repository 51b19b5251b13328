// A list of several pages whose first is asked for anew. Pure.

/**
 * What was shown, with its first page as it is `now`: what is gone from that is gone, what stands behind it stays. `idOf`
 * tells what an item is. None of the rest where nobody knows what is between.
 */
export function merged(shown, now, hasMore, idOf) {
  const last = now.at(-1);
  const at = hasMore && last ? shown.findIndex((each) => idOf(each) === idOf(last)) : -1;
  if (at < 0) return { all: now, hasRest: false };
  const known = new Set(now.map(idOf));
  const rest = shown.slice(at + 1).filter((each) => !known.has(idOf(each)));
  return { all: [...now, ...rest], hasRest: rest.length > 0 };
}

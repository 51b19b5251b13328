// The runs that this browser began: their ids, newest first, and nothing else. Where the server lists nobody's runs,
// they are how one finds them again.

const PLACE = "runs";
const MOST = 200;

/** Every id. */
export function ids() {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE));
    return Array.isArray(kept) ? kept.filter((id) => /^[\w-]{8,64}$/.test(id)) : [];
  } catch {
    return [];
  }
}

/** Keeps an id. */
export function remember(id) {
  keep([id, ...ids().filter((each) => each !== id)].slice(0, MOST));
}

/** Forgets an id. */
export function drop(id) {
  keep(ids().filter((each) => each !== id));
}

function keep(all) {
  try {
    localStorage.setItem(PLACE, JSON.stringify(all));
  } catch {
    // Where nothing may be kept, the address of a run is all there is.
  }
}

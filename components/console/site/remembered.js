// What this browser began: the ids, newest first, and nothing else. Where the server lists nobody's, they are how one
// finds it again.

const MOST = 200;

/** What is kept under a name: every id, one more, one less, or none. */
export function rememberedIn(place) {
  function ids() {
    try {
      const kept = JSON.parse(localStorage.getItem(place));
      return Array.isArray(kept) ? kept.filter((id) => /^[\w-]{8,64}$/.test(id)) : [];
    } catch {
      return [];
    }
  }

  function keep(all) {
    try {
      if (all.length) localStorage.setItem(place, JSON.stringify(all));
      else localStorage.removeItem(place);
    } catch {
      // Where nothing may be kept, an address is all there is.
    }
  }

  return {
    ids,
    remember: (id) => keep([id, ...ids().filter((each) => each !== id)].slice(0, MOST)),
    drop: (id) => keep(ids().filter((each) => each !== id)),
    clear: () => keep([]),
  };
}

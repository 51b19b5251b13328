// The questions that were asked in this browser, newest first, for as long as their answers are stored.

import { clock } from "./clock.js";
import { Refused } from "./connection.js";
import { make } from "./dom.js";
import { rememberedIn } from "./remembered.js";
import { rows } from "./rows.js";
import { join } from "./stream.js";
import { text } from "./words.js";

const MOST = 10;
/** Asks that are looked at at once. */
const AT_ONCE = 4;

const { ids, remember, drop, clear } = rememberedIn("asks");

/** Shows them in a part of the page; `onClear()` is called when a person has taken the list away. */
export function recentIn(part, base, onClear) {
  let turn = 0;

  function draw(found) {
    rows(part.querySelector("ol"), found, item);
    part.hidden = found.length === 0;
  }

  part.querySelector("button").addEventListener("click", () => {
    turn += 1;
    clear();
    draw([]);
    onClear();
  });

  return {
    remember,
    /** Shows what there is now. */
    async show() {
      const mine = ++turn;
      const all = ids();
      const found = new Map();
      for (let at = 0; at < all.length && found.size < MOST; at += AT_ONCE) {
        const some = await Promise.all(all.slice(at, at + AT_ONCE).map((id) => question(id, base)));
        if (mine !== turn) return;
        // What was asked again, or gone on with, is there once; what follows up has its words from elsewhere.
        for (const each of some) if (each && !found.has(each.key)) found.set(each.key, each);
      }
      draw([...found.values()].slice(0, MOST));
    },
  };
}

/** An ask and its question, which the beginning of its stream tells; null where it is not to be had. */
async function question(id, base) {
  const reading = new AbortController();
  const leave = () => reading.abort();
  let [query, key] = ["", ""];
  const onEvent = (name, data) => {
    if (name !== "init") return;
    query = text(data.query);
    key = data.turns > 0 ? `${id} ${query}` : query;
    leave();
  };
  try {
    await join(id, 0, { base, clock, signal: reading.signal, onEvent, onDrop: leave, onJoined: leave });
  } catch (error) {
    if (error instanceof Refused && error.status === 404) drop(id);
  }
  return query ? { id, query, key } : null;
}

function item({ id, query }) {
  const element = make("li");
  const link = element.appendChild(make("a", "", query));
  link.href = `#${id}`;
  link.dir = "auto";
  return element;
}

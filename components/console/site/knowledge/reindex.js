// Making the index of a collection anew, and how far that is: whoever has asked for it, here or elsewhere.

import { clock } from "../clock.js";
import { dialog } from "../dialogs.js";
import { complaintOf } from "../form.js";
import { clockTime, sentence } from "../words.js";
import * as api from "./api.js";
import { howFar } from "./meaning.js";

const LOOK = 1000;
const $ = (id) => document.getElementById(id);

/** `chosen()` is the collection on the page. `onDone()` is called when an index is another. */
export function reindexIn({ ask, chosen, onDone }) {
  /** The collection that is watched, and since when; null: none. */
  let watched = null;

  function draw(progress) {
    $("reindexing").hidden = watched === null;
    $("reindex").hidden = watched !== null || !hasPassages;
    if (!watched) return;
    const bar = $("reindexed");
    const { done, chunks } = progress ?? {};
    if (chunks > 0) {
      bar.max = chunks;
      bar.value = done;
    } else bar.removeAttribute("value");
    const words = chunks > 0 ? howFar(progress) : "Rebuilding the index";
    $("reindexing-about").textContent = `${words} · ${clockTime((clock.now() - watched.since) / 1000)}`;
  }

  /** Looks how far it is until nothing goes on any more, or another collection is chosen. */
  async function watch(mine, progress) {
    draw(progress);
    while (watched === mine) {
      await clock.sleep(LOOK);
      const told = await api.stats(mine.name).catch(() => ({}));
      if (watched !== mine) return;
      if (chosen() !== mine.name) return end();
      if (!mine.isOurs && !told.reindex) {
        end();
        return onDone();
      }
      draw(told.reindex);
    }
  }

  function end() {
    watched = null;
    draw(null);
  }

  async function begin() {
    const mine = { name: chosen(), since: clock.now(), isOurs: true };
    watched = mine;
    $("reindex-note").textContent = "";
    watch(mine, null);
    try {
      await ask(() => api.reindex(mine.name));
      $("spoken").textContent = "The index was rebuilt.";
    } catch (error) {
      if (chosen() === mine.name) $("reindex-note").textContent = sentence(complaintOf(error).message);
    }
    if (watched === mine) end();
    onDone();
  }

  let hasPassages = false;
  // The dialog closes at once: what goes on is shown on the page.
  const sure = dialog($("remaking"), async () => { begin(); });
  $("reindex").addEventListener("click", () => sure.open());

  return {
    /** Shows what is known of the collection that is chosen: how many passages it has, and its `stats`. */
    show(passages, stats) {
      hasPassages = passages > 0;
      if (watched && watched.name !== chosen()) watched = null;
      if (!watched && stats.reindex) {
        watched = { name: chosen(), since: clock.now(), isOurs: false };
        watch(watched, stats.reindex);
      } else draw(watched ? stats.reindex : null);
    },
  };
}

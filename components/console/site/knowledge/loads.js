// Files on their way into the collection: one after the other, because a load changes the whole collection. One that
// the server refuses does not stop the others.

import { clock } from "../clock.js";
import { Lost, Refused, sleepOrOnline } from "../connection.js";
import { make } from "../dom.js";
import { complaintOf } from "../form.js";
import { rows } from "../rows.js";
import { count, sentence } from "../words.js";
import { howFar, paidFor } from "./meaning.js";

/** Bytes that the server takes of a document; more need not be sent to be refused. */
const MOST = 20 * 1024 * 1024;

/** Milliseconds between two words to listeners about how far it is. */
const PAUSE = 20_000;

/** How often a file is sent again by itself, and milliseconds before that where the server does not say how many. */
const MOST_PAUSES = 6;
const FIRST_PAUSE = 1000;
/** No longer pause is kept. */
const LONGEST_PAUSE = 60_000;

/** What somebody else may mend, so that the same file is taken then. */
const WAITS_FOR_SOMEBODY = ["unauthorized", "missing_key", "no_credit"];

const WORDS = {
  waiting: "Waiting", reading: "Loading", added: "Added", replaced: "Replaced", unchanged: "Unchanged", failed: "Not loaded",
};

/**
 * Shows loads in an element. `chosen()` is the collection that is chosen: what goes into another one names it.
 * `onLoaded()` is called when one has changed its collection.
 */
export function loadsIn(element, region, { ask, chosen, onLoaded }) {
  let loads = [];
  let isWorking = false;
  let quietUntil = 0;

  function draw() {
    element.hidden = loads.length === 0;
    const shown = ({ name, collection, state, words, progress, mayPass, isTaken }) => {
      const elsewhere = collection === chosen() ? "" : collection;
      return { name, elsewhere, state, words, progress, mayPass, isTaken };
    };
    rows(element.querySelector("ul"), loads.map(shown), item);
  }

  function advance(load, progress) {
    Object.assign(load, { progress, words: howFar(progress) });
    draw();
    if (clock.now() < quietUntil) return;
    quietUntil = clock.now() + PAUSE;
    region.textContent = `${load.name}: ${load.words}.`;
  }

  async function work() {
    if (isWorking) return;
    isWorking = true;
    addEventListener("beforeunload", hold);
    for (let [load, goesOn] = [next(), true]; load && goesOn; load = next()) {
      goesOn = await sent(load);
      draw();
    }
    isWorking = false;
    // What waits still is nowhere but here.
    if (!next()) removeEventListener("beforeunload", hold);
    region.textContent = summary();
  }

  /** Sends a file until it is known what becomes of it; false: nothing that is sent behind it would get through either. */
  async function sent(load) {
    for (let pauses = 0; ; pauses += 1) {
      Object.assign(load, { state: "reading", words: "" });
      draw();
      try {
        if (load.size > MOST) throw new Error(`it has ${megabytes(load.size)}; a document may have up to 20 MiB`);
        const { change, document: { chunks, notes: own = [] }, embedding, notes = [] } = await ask(() => load.send(load.isMeant, (progress) => advance(load, progress)));
        load.state = change;
        load.words = [count(chunks, "passage"), paidFor(embedding), ...own, ...notes].filter(Boolean).join(" · ");
        load.progress = null;
        if (change !== "unchanged") onLoaded();
        return true;
      } catch (error) {
        load.progress = null;
        const pause = pauseOf(error, pauses);
        if (pause !== null && pauses < MOST_PAUSES && pause <= LONGEST_PAUSE) {
          Object.assign(load, { state: "waiting", words: `${saidOf(error)} It is sent again in ${Math.ceil(pause / 1000)} s.` });
          draw();
          await sleepOrOnline(pause, clock, new AbortController().signal);
          continue;
        }
        load.state = "failed";
        // A file that is no good is none the next time.
        load.mayPass = error instanceof Lost || error.passes === true || WAITS_FOR_SOMEBODY.includes(error.type) || Boolean(error.stands);
        // Files of one name may be two documents: who chose them says whether they are.
        load.isTaken = error.type === "conflict" && !error.stands;
        load.words = saidOf(error);
        return pause === null;
      }
    }
  }

  element.querySelector("ul").addEventListener("click", ({ target }) => {
    const row = target.closest("button")?.closest("li");
    if (!row) return;
    const load = loads[[...row.parentElement.children].indexOf(row)];
    const isMeant = load.isMeant || load.isTaken;
    Object.assign(load, { state: "waiting", words: "", mayPass: false, isTaken: false, isMeant });
    draw();
    // The button is gone.
    element.querySelector("h3").focus({ preventScroll: true });
    work();
  });

  const next = () => loads.find(({ state }) => state === "waiting");

  function summary() {
    const failed = loads.filter(({ state }) => state === "failed").length;
    const waits = loads.filter(({ state }) => state === "waiting").length;
    const done = loads.length - failed - waits;
    return [done && `${count(done, "document")} loaded.`, failed && `${count(failed, "document")} not loaded.`, waits && `${count(waits, "document")} waiting.`].filter(Boolean).join(" ");
  }

  return {
    /**
     * Loads more, `{ name, size, collection, send }` each: `send(isMeant, onProgress)` makes its request, says whether it
     * is meant to take another's place, and tells how far it is.
     */
    add(files) {
      const begun = { state: "waiting", words: "", progress: null, mayPass: false, isTaken: false, isMeant: false };
      loads = [...loads, ...files.map((each) => ({ ...each, ...begun }))];
      draw();
      work();
    },
    /** Shows them again, as another collection is chosen. */
    turn: draw,
    /** Takes those away that are over. */
    clear() {
      loads = loads.filter(({ state }) => state === "waiting" || state === "reading");
      draw();
      if (next()) work();
    },
  };
}

/** Milliseconds before a file may be sent again that met this; null: it needs another change first. */
function pauseOf(error, pauses) {
  if (error.retryAfter) return error.retryAfter;
  const isAway = error instanceof Lost || (error instanceof Refused && error.passes);
  return isAway ? Math.min(FIRST_PAUSE * 2 ** pauses, LONGEST_PAUSE) : null;
}

function saidOf(error) {
  return sentence(error.status || error.name === "Error" ? error.message : complaintOf(error).message);
}

/** Has the browser ask before the page is left: what waits is nowhere but here. */
function hold(event) {
  event.preventDefault();
}

function megabytes(bytes) {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

function item({ name, elsewhere, state, words, progress, mayPass, isTaken }) {
  const element = make("li");
  element.dataset.state = state;
  const title = make("span", "name", name);
  title.dir = "auto";
  const line = make("small");
  line.append(make("span", "state", WORDS[state] ?? state), words ? ` ${words}` : "");
  element.append(title, ...(elsewhere ? [make("small", "where", `In the collection ${elsewhere}`)] : []), line);
  if (progress) {
    const bar = element.appendChild(make("progress"));
    bar.max = progress.chunks;
    bar.value = progress.done;
    bar.setAttribute("aria-label", `Loading: ${name}`);
  }
  const deed = isTaken ? "Replace" : mayPass ? "Try again" : "";
  if (deed) {
    const button = element.appendChild(make("button", "", deed));
    button.type = "button";
    button.setAttribute("aria-label", `${deed}: ${name}${elsewhere && `, in the collection ${elsewhere}`}`);
  }
  return element;
}
